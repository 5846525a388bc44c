import type { AccountId } from '../../../domain/ids/ids.ts'
import { reject } from '../../commands/refused.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { Ports } from '../../ports.ts'

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
