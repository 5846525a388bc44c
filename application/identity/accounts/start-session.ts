import type { AccountState } from '../../../domain/account/state.js'
import type { AccountId } from '../../../domain/ids/ids.js'
import { networkOf, oneClient } from '../../../domain/network/network-of.js'
import { newSessionToken, sessionTokenHash } from '../tokens/session-token.js'
import type { Caller, Requester } from '../../caller.js'
import { contextWith } from '../../commands/following-context.js'
import { partialUserObject, type PartialUserObject } from '../../wire-objects/identity/user-objects.js'
import type { Ports } from '../../ports.js'
import { tellHolder } from '../mail/tell-holder.js'

/** The auth token response (reference identity 4.1). */
export interface AuthToken {
  readonly token: string
  readonly user_id: AccountId
  readonly user: PartialUserObject
}

/** Somebody who has just signed in. */
export interface SignedIn {
  readonly answer: AuthToken
  /** The same request, now made by the account. */
  readonly caller: Caller
}

type Needs = Pick<Ports, 'aggregates' | 'mail' | 'queries' | 'readModels'>

/** How a session begins where it is not by the common rules. */
export interface SessionTerms {
  /** Its token, where that is drawn already; a new one otherwise. */
  readonly token?: string
  /** Whether signing in from the same network is to take no mail any more (reference identity 4.4). */
  readonly authorizes?: boolean
  /** The hash of the token of the session that asks for it: it is refused with INVALID_TOKEN where that has ended. */
  readonly vouchedBy?: string
  /** Whether somebody who reads the account's mails began it: then no mail needs to tell of a new network. */
  readonly byMail?: boolean
}

/**
 * Begins a session of an account that has proved who it is; mails its holder where it is from a network that the account had not
 * signed in from. Resolves once the session can be used.
 */
export async function startSession(
  ports: Needs,
  requester: Requester,
  accountId: AccountId,
  terms: SessionTerms = {},
): Promise<SignedIn> {
  const { aggregates, queries, readModels } = ports
  const { ip, userAgent } = requester
  const context = contextWith(requester.context, { actor: { kind: 'account', id: accountId } })
  const token = terms.token ?? newSessionToken(context)
  const tokenHash = sessionTokenHash(token)
  const authorizes = terms.authorizes === true ? { authorizes: networkOf(ip, oneClient) } : {}
  const voucher = terms.vouchedBy === undefined ? {} : { vouchedBy: terms.vouchedBy }
  const { state } = await aggregates.account.execute(
    accountId,
    { type: 'StartSession', tokenHash, ip, userAgent, ...authorizes, ...voucher, now: context.now },
    context,
  )
  if (terms.byMail !== true) await tellOfSignIn(ports, state, tokenHash, { ...requester, context })
  await readModels.reached(context.written)
  const account = await queries.accounts.find(accountId)
  if (!account) throw new Error(`Account ${accountId} has a session, but is in no read model`)
  return {
    answer: { token, user_id: accountId, user: partialUserObject(account) },
    caller: { ...requester, context, account, credential: { kind: 'session', tokenHash } },
  }
}

/** A session of which the account's holder may know nothing. */
async function tellOfSignIn(
  ports: Needs,
  account: AccountState,
  tokenHash: string,
  { ip, userAgent, context }: Requester,
): Promise<void> {
  if (account.status !== 'registered') return
  const { latestSignIn } = account
  if (latestSignIn?.tokenHash !== tokenHash || !latestSignIn.fromUnknownNetwork) return
  await tellHolder(ports, account, context, (facts) => ({
    template: 'new_sign_in',
    values: { ...facts, ip, userAgent },
  }))
}
