import type { Account } from '../../../domain/account/state.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'

/** The whole state of the caller's account, with its secrets: never show it. Refuses with UNAUTHORIZED if the account is gone. */
export async function ownAccountState(
  { aggregates }: Pick<Ports, 'aggregates'>,
  { account }: Pick<Caller, 'account'>,
): Promise<Account> {
  const { state } = await aggregates.account.load(account.id)
  return state.status === 'registered' ? state : reject('UNAUTHORIZED')
}
