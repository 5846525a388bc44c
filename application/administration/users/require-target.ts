import type { Account } from '../../../domain/account/state.js'
import type { AccountId } from '../../../domain/ids/ids.js'
import { reject } from '../../commands/refused.js'
import type { Ports } from '../../ports.js'

/**
 * The account that an administrator acts on, with its secrets: never show it. Refuses with UNKNOWN_USER for an account that does
 * not exist, or that is erased or being erased.
 */
export async function requireTarget(
  { aggregates }: { readonly aggregates: Pick<Ports['aggregates'], 'account'> },
  id: AccountId,
): Promise<Account> {
  const { state } = await aggregates.account.load(id)
  return state.status === 'registered' ? state : reject('UNKNOWN_USER')
}
