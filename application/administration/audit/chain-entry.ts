import { accountOfTarget } from '../../../domain/admin-audit/account-of-target.ts'
import { chainedText, personalText } from '../../../domain/admin-audit/chained-text.ts'
import type { AuditedAction } from '../../../domain/admin-audit/events.ts'
import { theLog } from '../../../domain/admin-audit/state.ts'
import { attempts_max } from '../../aggregates/execute.ts'
import { pauseAfterConflict } from '../../aggregates/pause-after-conflict.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { keyedQueue, type KeyedQueue } from '../../commands/keyed-queue.ts'
import { Refused, reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'

export type ChainNeeds = Pick<Ports, 'adminAuditHash'> & {
  readonly aggregates: Pick<Ports['aggregates'], 'adminAudit'>
}

/** An entry before it is hashed. Its reason is personal if it is about an action on an account. */
export type UnchainedEntry = Omit<AuditedAction, 'personalHash' | 'personalReason'>

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
    const entry = withPersonalParts(unchained, adminAuditHash)
    return turns.run(theLog, async () => {
      for (let attempts = 1; attempts <= attempts_max; attempts += 1) {
        try {
          return await tryOnce(entry, context)
        } catch (error) {
          if (!(error instanceof Refused) || error.refusal.code !== 'CONFLICT') throw error
        }
        await pauseAfterConflict(attempts)
      }
      return reject('SERVICE_UNAVAILABLE')
    })
  }
}

function withPersonalParts(unchained: UnchainedEntry, hashOf: (text: string) => string): AuditedAction {
  const { reason, targetType: type, targetId: id } = unchained
  const isPersonal = reason !== null && accountOfTarget({ type, id }) !== undefined
  const entry = isPersonal ? { ...unchained, reason: null, personalReason: reason } : unchained
  const text = personalText(entry)
  return { ...entry, personalHash: text === null ? null : hashOf(text) }
}
