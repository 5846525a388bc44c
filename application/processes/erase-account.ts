import type { AccountId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { streamName } from '../../domain/streams.ts'
import { holdingOwnership } from '../access/holding-ownership.ts'
import { dueContext, type DueNeeds } from '../commands/due-context.ts'
import { erasureObstacles } from '../identity/erasure/what-erasure-takes.ts'
import type { FinishingNeeds } from './finishing-needs.ts'
import { erasure } from './managers/erasures.ts'

/**
 * Erases an account whose deletion is due. One event makes it nobody's; a login either comes before it and cancels the deletion,
 * or after it. Then everything that belonged to its holder is removed step by step (`finishErasure`). If this process dies, a
 * process manager finishes the steps. False if nothing is due, or if something stands in the way (`erasureObstacles`): then the
 * deletion stays scheduled.
 */
export function eraseAccount(ports: FinishingNeeds & DueNeeds) {
  return async (accountId: AccountId, now: Timestamp): Promise<boolean> => {
    await startErasure(ports, accountId, now)
    const step = await ports.queries.unfinished.find(erasure.name, accountId)
    if (!step) return false
    await erasure.finish(ports, step, now)
    return true
  }
}

async function startErasure(ports: FinishingNeeds & DueNeeds, accountId: AccountId, now: Timestamp): Promise<void> {
  const { addressHash, aggregates, queries, readModels, sessionActivity } = ports
  const context = await dueContext(ports, 'erasure', streamName('account', accountId), now)
  await holdingOwnership(ports, accountId, async () => {
    const { state } = await aggregates.account.load(accountId)
    if (state.status !== 'registered' || (await erasureObstacles(ports, state)).length > 0) return
    const { email } = state
    const start = { type: 'StartErasure', email, addressHash: email === null ? null : addressHash(email), now } as const
    const [live, ended] = await Promise.all([
      queries.sessions.ofAccount(accountId),
      queries.sessions.endedOf(accountId),
    ])
    await aggregates.account.execute(accountId, start, context)
    for (const { tokenHash } of [...live, ...ended]) sessionActivity.forget(tokenHash)
  })
  await readModels.reached(context.written)
}
