import { accountOfTarget } from '../../../domain/admin-audit/account-of-target.ts'
import type { AccountId, EntryId } from '../../../domain/ids/ids.ts'
import { noStream, type Revision } from '../../../domain/kernel/position.ts'
import { streamName, type StreamName } from '../../../domain/streams.ts'
import { reject, rejectWith } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import type { EventStore, RecordedEvent } from '../../ports/event-store.ts'
import { nothingRevealed } from '../history/masked-event.ts'
import { objectOfEvent } from '../history/objects-for-readers.ts'
import { whatUndoes, type CannotUndo, type Undoing } from './what-undoes.ts'

/** What undoes an entry of the admin audit log, and the history that this follows from. */
export interface FoundUndoing {
  readonly account: AccountId
  readonly undoing: Undoing
  readonly stream: StreamName
  /** Of the newest event that was looked at. */
  readonly revision: Revision
}

/** The same of an entry about an account. What the undoing command itself has done already, in an earlier try, stands in nobody's way. */
export async function undoingOn(
  events: Pick<EventStore, 'readStream'>,
  account: AccountId,
  entry: EntryId,
  commandId?: string,
): Promise<FoundUndoing> {
  const stream = streamName('account', account)
  const history: RecordedEvent[] = []
  for await (const page of events.readStream(stream, noStream)) history.push(...page)
  const byOthers = history.filter(
    ({ metadata: { adminAction } }) => commandId === undefined || adminAction?.commandId !== commandId,
  )
  return { account, undoing: whatUndoes(byOthers, entry), stream, revision: history.at(-1)?.revision ?? noStream }
}

/** An act that can be taken back. */
export type Undoable = Omit<FoundUndoing, 'undoing'> & { readonly undoing: Exclude<Undoing, CannotUndo> }

/**
 * Finds what undoes an entry of the admin audit log. Refuses with NOT_FOUND if there is no such entry, and with CONFLICT, which says
 * why and which later change stands in the way, if nothing does (rules/administration#undo).
 * `commandId`: of the command that is to undo it.
 */
export function findUndoing({ events, queries }: Pick<Ports, 'events' | 'queries'>) {
  return async (entry: EntryId, commandId: string): Promise<Undoable> => {
    const found = (await queries.adminAudit.find(entry)) ?? reject('NOT_FOUND')
    const account = accountOfTarget({ type: found.targetType, id: found.targetId })
    if (account === undefined) return refuse({ outcome: 'nothing_to_undo' })
    const { undoing, ...on } = await undoingOn(events, account, entry, commandId)
    return isImpossible(undoing) ? refuse(undoing) : { ...on, undoing }
  }
}

export function isImpossible(undoing: Undoing): undoing is CannotUndo {
  return undoing.outcome === 'nothing_to_undo' || undoing.outcome === 'erased' || undoing.outcome === 'changed_since'
}

function refuse(why: CannotUndo): never {
  const changed = why.outcome === 'changed_since' ? objectOfEvent(why.by, nothingRevealed) : null
  return rejectWith('CONFLICT', { reason: why.outcome, changed_by: changed })
}
