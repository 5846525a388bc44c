import { isClosedAt } from '../../domain/account/decisions/decide-admission.ts'
import type { WithoutAcls } from '../../domain/account/standing-commands.ts'
import type { Account, AccountState } from '../../domain/account/state.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { Refused, reject } from '../commands/refused.ts'
import type { Ports } from '../ports.ts'

export type AclQueueNeeds = Pick<Ports, 'locks'> & {
  readonly aggregates: Pick<Ports['aggregates'], 'account'>
  readonly queries: Pick<Ports['queries'], 'accounts'>
}

/**
 * Runs an act that decides who holds which ACLs, or whether an account with ACLs can use them. All such acts of the instance run
 * one at a time, in whichever process. So nobody grants or takes what an earlier act took from them. Refuses with
 * SERVICE_UNAVAILABLE if earlier acts take too long.
 */
export async function inAclQueue<Result>(
  { locks }: Pick<AclQueueNeeds, 'locks'>,
  act: () => Promise<Result>,
): Promise<Result> {
  const done = await locks.holding('who holds which Admin ACLs', act)
  return done ? done.result : reject('SERVICE_UNAVAILABLE')
}

/**
 * Runs an act on an account: in the queue, after `check`, if the account holds an ACL, and at once otherwise. `run` hands what it
 * is given to the commands that may close the account, and to `requireTarget` for what somebody can use later. So an account that
 * gains an ACL meanwhile is acted on in the queue.
 */
export async function queuedIfAdministrator<Result>(
  needs: Pick<AclQueueNeeds, 'locks' | 'aggregates'>,
  target: AccountId,
  check: (account: Account) => Promise<void>,
  run: (guard: WithoutAcls) => Promise<Result>,
): Promise<Result> {
  const current = async (): Promise<AccountState> => (await needs.aggregates.account.load(target)).state
  if (!isAdministrator(await current())) {
    try {
      return await run({ onlyWithoutAcls: true })
    } catch (error) {
      const isConflict = error instanceof Refused && error.refusal.code === 'CONFLICT'
      if (!isConflict || !isAdministrator(await current())) throw error
    }
  }
  return inAclQueue(needs, async () => {
    const state = await current()
    if (state.status === 'registered') await check(state)
    return run({})
  })
}

const isAdministrator = (state: AccountState): boolean => state.status === 'registered' && state.acls.length > 0

/**
 * Refuses with ACCESS_DENIED if an account is the last that holds `*` and can use it: without one, only an operator at the command
 * line could repair the instance. Accounts that are banned, disabled or to be deleted cannot. Call it inside `inAclQueue`, before an
 * act that closes the account or takes `*` from it.
 */
export async function requireAnotherHolder(
  { aggregates, queries }: Pick<AclQueueNeeds, 'aggregates' | 'queries'>,
  { id, acls }: Pick<Account, 'id' | 'acls'>,
  now: Timestamp,
): Promise<void> {
  if (!acls.includes('*')) return
  // History decides: a read model may still show an account that has just lost `*`, but it misses none that was told of it.
  for (const holder of await queries.accounts.holdersOfAllAcls()) {
    if (holder === id) continue
    const { state } = await aggregates.account.load(holder)
    if (canUseAllAcls(state, now)) return
  }
  reject('ACCESS_DENIED')
}

function canUseAllAcls(state: AccountState, now: Timestamp): boolean {
  if (state.status !== 'registered' || !state.acls.includes('*')) return false
  return state.admission === 'admitted' && !isClosedAt(state, now)
}
