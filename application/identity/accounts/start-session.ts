import type { AccountState } from '../../../domain/account/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { networkOf, oneClient } from '../../../domain/network/network-of.ts'
import { newSessionToken, sessionTokenHash } from '../tokens/session-token.ts'
import type { Caller, Requester } from '../../caller.ts'
import { contextWith } from '../../commands/following-context.ts'
import { partialUserObject, type PartialUserObject } from '../../wire-objects/identity/user-objects.ts'
import type { Ports } from '../../ports.ts'
import { tellHolder } from '../mail/tell-holder.ts'

/** What a client gets of a session that began: its token, once. */
export interface AuthToken {
  readonly token: string
  readonly user_id: AccountId
  readonly user: PartialUserObject
}

/** A sign-in that succeeded. */
export interface SignedIn {
  readonly answer: AuthToken
  /** The same request, now by the account. */
  readonly caller: Caller
}

type Needs = Pick<Ports, 'aggregates' | 'mail' | 'queries' | 'readModels'>

/** Differences from the usual start of a session. */
export interface SessionTerms {
  /** The account's `credentialVersion` when its proof was checked. If its credentials have changed since: UNAUTHORIZED. */
  readonly provedUnder?: number
  /** The session's token if it was drawn already; a new one by default. */
  readonly token?: string
  /** Whether to authorise the network, so that later sign-ins from it need no mail. */
  readonly authorizes?: boolean
  /** The token hash of the session that vouches for this one. If that session has ended, refuses with INVALID_TOKEN. */
  readonly vouchedBy?: string
  /** The device that it is of, if the request is of another one. */
  readonly device?: Pick<Requester, 'ip' | 'userAgent'>
  /** Whether a reader of the account's mails started it: then no mail about a new network is needed. */
  readonly byMail?: boolean
}

/**
 * Starts a session of an account that has proved its identity. Mails the holder if the account has not signed in from this
 * network before. Resolves once the session can be used.
 */
export async function startSession(
  ports: Needs,
  by: Requester,
  accountId: AccountId,
  terms: SessionTerms = {},
): Promise<SignedIn> {
  const { aggregates } = ports
  const requester = { ...by, ...terms.device }
  const { ip, userAgent } = requester
  const context = contextWith(requester.context, { actor: { kind: 'account', id: accountId } })
  const token = terms.token ?? newSessionToken(context)
  const tokenHash = sessionTokenHash(token)
  const authorizes = terms.authorizes === true ? authorizing(ip) : {}
  const proof = terms.provedUnder === undefined ? {} : { provedUnder: terms.provedUnder }
  const voucher = terms.vouchedBy === undefined ? {} : { vouchedBy: terms.vouchedBy }
  const device = { ip, userAgent, forOtherDevice: terms.device !== undefined }
  const { state } = await aggregates.account.execute(
    accountId,
    { type: 'StartSession', tokenHash, ...device, ...authorizes, ...voucher, ...proof, now: context.now },
    context,
  )
  if (terms.byMail !== true) await tellOfSignIn(ports, state, tokenHash, { ...requester, context })
  return signedIn(ports, { ...requester, context }, accountId, token)
}

/** The member of a command that authorises the network of an address. */
export function authorizing(ip: string): { readonly authorizes: string } {
  return { authorizes: networkOf(ip, oneClient) }
}

/** What a sign-in leads to whose session has begun in a context. Resolves once the session can be used. */
export async function signedIn(
  { queries, readModels }: Pick<Ports, 'queries' | 'readModels'>,
  requester: Requester,
  accountId: AccountId,
  token: string,
): Promise<SignedIn> {
  await readModels.reached(requester.context.written)
  const account = await queries.accounts.find(accountId)
  if (!account) throw new Error(`Account ${accountId} has a session, but is in no read model`)
  return {
    answer: { token, user_id: accountId, user: partialUserObject(account) },
    caller: { ...requester, account, credential: { kind: 'session', tokenHash: sessionTokenHash(token) } },
  }
}

/** Mails the holder about a session that they may not know of. */
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
