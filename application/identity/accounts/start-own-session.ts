import type { AccountId } from '../../../domain/ids/ids.js'
import type { Requester } from '../../caller.js'
import { reject } from '../../commands/refused.js'
import type { Ports } from '../../ports.js'
import { startSession, type AuthToken } from './start-session.js'

/**
 * Starts the session of an account that needs no further proof. Refuses with BOT_USER_AUTH_SESSION_CREATION_DENIED, and as
 * StartSession does. Reference identity 4, common facts.
 */
export async function startOwnSession(
  ports: Pick<Ports, 'aggregates' | 'mail' | 'queries' | 'readModels'>,
  requester: Requester,
  accountId: AccountId,
): Promise<AuthToken> {
  const record = await ports.queries.accounts.find(accountId)
  if (record?.bot) return reject('BOT_USER_AUTH_SESSION_CREATION_DENIED')
  return (await startSession(ports, requester, accountId)).answer
}
