import { chainedText, personalText } from '../../../domain/admin-audit/chained-text.js'
import type { AuditedAction } from '../../../domain/admin-audit/events.js'
import { theLog } from '../../../domain/admin-audit/state.js'
import { attempts_max } from '../../aggregates/aggregates.js'
import { pauseAfterConflict } from '../../aggregates/pause-after-conflict.js'
import type { CommandContext } from '../../commands/command-context.js'
import { keyedQueue, type KeyedQueue } from '../../commands/keyed-queue.js'
import { Refused, reject } from '../../commands/refused.js'
import type { Ports } from '../../ports.js'

export type ChainNeeds = Pick<Ports, 'adminAuditHash'> & {
  readonly aggregates: Pick<Ports['aggregates'], 'adminAudit'>
}

/** An entry before it is hashed. */
export type UnchainedEntry = Omit<AuditedAction, 'personalHash'>

/**
 * Adds entries to the end of the admin audit log. The entries of one process take turns. If another process was faster, the hash
 * is recomputed on its entry. Refuses with SERVICE_UNAVAILABLE after other processes were faster `attempts_max` times.
 */
export function chainEntry({ aggregates, adminAuditHash }: ChainNeeds) {
  const turns: KeyedQueue = keyedQueue()
  const tryOnce = async (entry: AuditedAction, context: CommandContext): Promise<void> => {
    const { state } = await aggregates.adminAudit.load(theLog)
    const previousHash = state.status === 'begun' ? state.hash : null
    const hash = adminAuditHash(chainedText(entry, previousHash))
    await aggregates.adminAudit.execute(theLog, { type: 'RecordAdminAction', ...entry, previousHash, hash }, context)
  }
  return (unchained: UnchainedEntry, context: CommandContext): Promise<void> => {
    const { entryId, personalMetadata } = unchained
    const personalHash = personalMetadata && adminAuditHash(personalText(entryId, personalMetadata))
    return turns.run(theLog, async () => {
      for (let attempts = 1; attempts <= attempts_max; attempts += 1) {
        try {
          return await tryOnce({ ...unchained, personalHash }, context)
        } catch (error) {
          if (!(error instanceof Refused) || error.refusal.code !== 'CONFLICT') throw error
        }
        await pauseAfterConflict(attempts)
      }
      return reject('SERVICE_UNAVAILABLE')
    })
  }
}
