import type { AccountId } from '../../domain/ids/ids.js'
import type { Timestamp } from '../../domain/kernel/timestamp.js'
import { holdingOwnership } from '../access/holding-ownership.js'
import { ownsGuild } from '../access/owns-guild.js'
import { systemContext } from '../commands/system-context.js'
import { finishFound } from './finish-step.js'
import type { FinishingNeeds } from './finishing-needs.js'

/**
 * Erases an account whose deletion is due: first it is nobody's, in one event that a login either comes before, which cancels the
 * deletion, or after; then all that was its holder's goes, step by step (`finishErasure`), which whoever finds the first event
 * finishes where this process dies. False where nothing is due, or the account owns a guild: then it stays scheduled.
 */
export function eraseAccount(ports: FinishingNeeds) {
  return async (accountId: AccountId, now: Timestamp): Promise<boolean> => {
    await startErasure(ports, accountId, now)
    const step = await ports.queries.unfinished.find('erasure', accountId)
    if (!step) return false
    await finishFound(ports, step, now)
    return true
  }
}

async function startErasure(ports: FinishingNeeds, accountId: AccountId, now: Timestamp): Promise<void> {
  const { addressHash, aggregates, readModels } = ports
  const context = systemContext('erasure', now)
  await holdingOwnership(ports, accountId, async () => {
    const { state } = await aggregates.account.load(accountId)
    if (state.status !== 'registered' || (await ownsGuild(ports, accountId))) return
    const { email } = state
    const start = { type: 'StartErasure', email, addressHash: email === null ? null : addressHash(email), now } as const
    await aggregates.account.execute(accountId, start, context)
  })
  await readModels.reached(context.written)
}
