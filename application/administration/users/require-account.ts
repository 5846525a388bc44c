import type { AccountId } from '../../../domain/ids/ids.js'
import { reject } from '../../commands/refused.js'
import type { AccountRecord } from '../../ports/queries/account-queries.js'
import type { Ports } from '../../ports.js'

/**
 * The account that an administrator names, also a deleted one: Get user still finds those. Refuses with 404 UNKNOWN_USER if there
 * never was such an account (docs/decisions/0073-reads-of-an-account.md).
 */
export async function requireAccount(
  { queries }: { readonly queries: Pick<Ports['queries'], 'accounts'> },
  id: AccountId,
): Promise<AccountRecord> {
  return (await queries.accounts.find(id)) ?? reject('UNKNOWN_USER')
}
