import { signInFactors, type Account } from '../../../domain/account/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { startSession } from '../accounts/start-session.ts'
import { newSessionToken } from '../tokens/session-token.ts'
import type { Requester } from '../../caller.ts'
import { insteadOf, reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import {
  completedIpAuthorization_s,
  ipAuthorizationTicket,
  ipAuthorizationToken,
  type WaitingSignIn,
} from './ip-authorization-tickets.ts'

type Needs = Pick<Ports, 'aggregates' | 'mail' | 'queries' | 'readModels' | 'tickets'>

/**
 * Lets a waiting device in by its mailed token, whoever presents it. Authorises its network and starts one session,
 * whose token the device fetches by `pollIpAuthorization`. Refuses with INVALID_FORM_BODY with
 * INVALID_OR_EXPIRED_AUTHORIZATION_TOKEN on `token`, also if the account's address or password changed since or it has
 * a second factor now; with UNKNOWN_USER, BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED, and as StartSession does. See
 * rules/credentials#new-networks.
 */
export function authorizeIp(ports: Needs) {
  return async (requester: Requester, token: string): Promise<void> => {
    const { tickets } = ports
    const found = await tickets.look(ipAuthorizationToken, token)
    const waiting = found && (await tickets.look(ipAuthorizationTicket, found.ticket))
    if (!found || !waiting || waiting.isCompleted) return refuseToken()
    await requireUnchanged(ports, waiting)
    const offered = newSessionToken(requester.context)
    // If several requests present the token at once, all start the same session, which an account starts only once.
    const granted = await tickets.change(ipAuthorizationTicket, found.ticket, (held) =>
      held.sessionToken === null ? { ...held, sessionToken: offered } : held,
    )
    if (!granted || granted.sessionToken === null) return refuseToken()
    const { accountId, ip, userAgent, sessionToken } = granted
    await startSession(ports, requester, accountId, {
      token: sessionToken,
      device: { ip, userAgent },
      authorizes: true,
      byMail: true,
      provedUnder: granted.credentialVersion,
    }).catch(insteadOf('UNAUTHORIZED', refuseToken))
    await tickets.change(
      ipAuthorizationTicket,
      found.ticket,
      (held) => (held.isCompleted ? held : { ...held, isCompleted: true }),
      completedIpAuthorization_s,
    )
    // Consumed last, so that the token can be used again if the process dies before.
    await tickets.take(ipAuthorizationToken, token)
  }
}

async function requireUnchanged(ports: Needs, waiting: WaitingSignIn): Promise<void> {
  const account = await accountOf(ports, waiting.accountId)
  const { email, credentialVersion, secondFactors } = account
  const isSame = email === waiting.email && credentialVersion === waiting.credentialVersion
  if (!isSame || signInFactors(secondFactors).length > 0) refuseToken()
}

async function accountOf({ aggregates, queries }: Needs, id: AccountId): Promise<Account> {
  const { state } = await aggregates.account.load(id)
  if (state.status !== 'registered') return reject('UNKNOWN_USER')
  const record = await queries.accounts.find(id)
  return record?.bot === true ? reject('BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED') : state
}

function refuseToken(): never {
  return reject('INVALID_FORM_BODY', field('token', 'INVALID_OR_EXPIRED_AUTHORIZATION_TOKEN'))
}
