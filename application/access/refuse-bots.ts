import type { AccountId } from '../../domain/ids/ids.js'
import { reject } from '../commands/refused.js'
import type { Ports } from '../ports.js'

/**
 * Refuses with BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED where the account that a body or a token names is a bot's: a bot has its token,
 * and nothing else to come in by (contract part 1, Authentication, rule 5).
 */
export async function refuseBot({ queries }: Pick<Ports, 'queries'>, account: AccountId): Promise<void> {
  const record = await queries.accounts.find(account)
  if (record?.bot === true) reject('BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED')
}
