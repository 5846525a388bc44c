import { theLog } from '../../../domain/admin-audit/state.ts'
import { noStream, type Position, type Revision } from '../../../domain/kernel/position.ts'
import { streamName } from '../../../domain/streams.ts'
import { reject } from '../../commands/refused.ts'
import { UnreadableEvent } from '../../failures/unreadable-event.ts'
import type { Ports } from '../../ports.ts'
import { entryFaultIn, entryIn } from './verify-chain.ts'

/** How many entries one check covers at most. */
export const checkedEntries_max = 10_000

/** What is wrong with an entry. Which one it is is not known of one that can't be read. */
export interface EntryFault {
  readonly logId: string | null
  readonly position: Position | null
  readonly what: 'changed' | 'out of place' | 'unreadable'
}

/** What a check found, and after which event of the log the next one goes on; null at the end of the log, and after a fault. */
export interface EntriesReport {
  readonly checkedCount: number
  /** The hash of the last entry that holds; null without one. */
  readonly hash: string | null
  readonly fault: EntryFault | null
  readonly next: Revision | null
}

type Needs = Pick<Ports, 'events' | 'adminAuditHash'>

const log = streamName('admin_audit', theLog)

/**
 * Checks entries of the admin audit log against their chain: the first ones, or those after the entry at a revision of the log's
 * stream, at most `limit`. Reads the log alone: what administrators did without an entry shows only to `verifyChain`. Refuses with
 * NOT_FOUND if no entry is at the revision (rules/administration#audit-log).
 */
export function verifyEntries(needs: Needs) {
  return async (after: Revision, limit: number): Promise<EntriesReport> => {
    const report = { checkedCount: 0, hash: after === noStream ? null : await hashAt(needs, after) }
    const unreadable = { logId: null, position: null, what: 'unreadable' } as const
    try {
      for await (const page of needs.events.readStream(log, after))
        for (const event of page) {
          const entry = entryIn(event)
          if (entry === undefined) continue
          if (entry === 'unreadable') return { ...report, fault: unreadable, next: null }
          const fault = entryFaultIn(entry, event, report.hash, needs.adminAuditHash)
          if (fault) return { ...report, fault, next: null }
          report.hash = entry.hash
          report.checkedCount += 1
          if (report.checkedCount === limit) return { ...report, fault: null, next: event.revision }
        }
    } catch (error) {
      if (!(error instanceof UnreadableEvent)) throw error
      return { ...report, fault: unreadable, next: null }
    }
    return { ...report, fault: null, next: null }
  }
}

async function hashAt({ events }: Needs, revision: Revision): Promise<string> {
  const event = await events.eventAt(log, revision)
  const entry = event && entryIn(event)
  return entry === undefined || entry === 'unreadable' ? reject('NOT_FOUND') : entry.hash
}
