import type { Account } from '../../../domain/account/state.ts'
import type { Requester } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { startSession, type AuthToken } from './start-session.ts'

/** An account as it was when a proof of it was checked. */
export type Proved = Pick<Account, 'credentialVersion' | 'id'>

/**
 * Starts the session of an account that needs no further proof. Refuses with BOT_USER_AUTH_SESSION_CREATION_DENIED, and
 * as StartSession does, with UNAUTHORIZED also if its credentials have changed since. See
 * rules/credentials#who-may-have-a-session.
 */
export async function startOwnSession(
  ports: Pick<Ports, 'aggregates' | 'mail' | 'queries' | 'readModels'>,
  requester: Requester,
  { id: accountId, credentialVersion: provedUnder }: Proved,
): Promise<AuthToken> {
  const record = await ports.queries.accounts.find(accountId)
  if (record?.bot) return reject('BOT_USER_AUTH_SESSION_CREATION_DENIED')
  return (await startSession(ports, requester, accountId, { provedUnder })).answer
}
