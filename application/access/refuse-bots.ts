import type { AccountId } from '../../domain/ids/ids.ts'
import { reject } from '../commands/refused.ts'
import type { Ports } from '../ports.ts'

/**
 * Refuses with BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED when the account that a body or token names is a bot. A bot can
 * authenticate with its bot token only (rules/credentials#who-may-have-a-session).
 */
export async function refuseBot({ queries }: Pick<Ports, 'queries'>, account: AccountId): Promise<void> {
  const record = await queries.accounts.find(account)
  if (record?.bot === true) reject('BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED')
}
