import { isSuspendedForGood } from '../../../domain/account/decisions/decide-admission.ts'
import type { RevertEmailAddress } from '../../../domain/account/commands.ts'
import { standingChange, type Account } from '../../../domain/account/state.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { claimAddress, releaseAddress } from '../accounts/claim-identity.ts'
import { requireMayHaveSession } from '../accounts/require-may-have-session.ts'
import { holdingAddress } from '../accounts/holding-address.ts'
import { requireUncommonPassword } from '../accounts/registering/require-uncommon-password.ts'
import { refuseBot } from '../../access/refuse-bots.ts'
import { authorizing, signedIn, type AuthToken } from '../accounts/start-session.ts'
import type { Requester } from '../../caller.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { contextWith } from '../../commands/following-context.ts'
import { reject, Refused } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { newSessionToken, sessionTokenHash } from '../tokens/session-token.ts'
import { revertEmailTicket, type RevertEmail } from './mailed-tokens.ts'
import type { NewPassword } from './reset-password.ts'
import { releaseLost } from '../single-sign-on/claim-identity.ts'
import { tellOfNewPassword } from './tell-of-new-password.ts'

type Needs = Pick<
  Ports,
  'addressHash' | 'aggregates' | 'locks' | 'mail' | 'passwords' | 'queries' | 'readModels' | 'tickets'
>

/**
 * Returns an account to the holder of its previous address, by a token mailed there. The account gets that address,
 * verified, and a new password; it loses its second factors and sessions, and one new session starts. Refuses with
 * INVALID_FORM_BODY with PASSWORD_IS_TOO_COMMON on `password` or INVALID_OR_EXPIRED_REVERT_TOKEN on `token`, also if
 * somebody else has the address by now or the account is suspended for good, with BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED,
 * and as `requireMayHaveSession`. See rules/credentials#take-an-address-back.
 */
export function revertEmailAddress(ports: Needs) {
  return async (requester: Requester, { token, password }: NewPassword): Promise<AuthToken> => {
    const { passwords, tickets } = ports
    requireUncommonPassword(password)
    const ticket = await tickets.look(revertEmailTicket, token)
    if (!ticket) return refuseToken()
    const { accountId, email } = ticket
    const context = contextWith(requester.context, { actor: { kind: 'account', id: accountId } })
    const account = await accountToRevert(ports, ticket, context)
    await refuseBot(ports, accountId)
    requireMayHaveSession(account, context.now)
    const passwordHash = await passwords.hash(password, requester)
    const { ip, userAgent } = requester
    const session = newSessionToken(context)
    const successor = { tokenHash: sessionTokenHash(session), ip, userAgent, ...authorizing(ip) }
    await holdingAddress(ports, accountId, () => takeBack(ports, { ...ticket, passwordHash, successor }, context))
    // Consumed last, so that the token can be used again if the process dies before. The account itself makes sure that it works
    // only once.
    await tickets.take(revertEmailTicket, token)
    await tellOfNewPassword(ports, { ...account, email }, context)
    return (await signedIn(ports, { ...requester, context }, accountId, session)).answer
  }
}

async function accountToRevert(
  { aggregates }: Needs,
  { accountId, changedAt }: RevertEmail,
  { mayRepeat }: CommandContext,
): Promise<Account> {
  const { state } = await aggregates.account.load(accountId)
  if (state.status !== 'registered' || isSuspendedForGood(state)) return refuseToken()
  // An earlier try of this same command may have reverted the change.
  if (!standingChange(state, changedAt) && !mayRepeat) return refuseToken()
  return state
}

/** Claims the previous address, gives it to the account, and releases the current one, and identities that the account loses. */
async function takeBack(
  ports: Needs,
  {
    passwordHash,
    successor,
    ...ticket
  }: RevertEmail & Required<Pick<RevertEmailAddress, 'passwordHash' | 'successor'>>,
  context: CommandContext,
): Promise<void> {
  const { addressHash: hashOf, aggregates } = ports
  const { accountId, email, changedAt } = ticket
  const before = await accountToRevert(ports, ticket, context)
  const { email: from } = before
  const replaces = from === null || from === email ? undefined : hashOf(from)
  await claimEarlier(ports, hashOf(email), accountId, context, replaces)
  const revert = { type: 'RevertEmailAddress', email, changedAt, passwordHash, successor, now: context.now } as const
  try {
    const { state: after } = await aggregates.account.execute(accountId, revert, context)
    await releaseLost(ports, accountId, { before: { status: 'registered', ...before }, after }, context)
  } catch (error) {
    if (error instanceof Refused) await releaseUnlessHeld(ports, email, accountId, context)
    throw error
  }
  if (replaces !== undefined) await releaseAddress(ports, replaces, accountId, context)
}

async function claimEarlier(ports: Needs, ...claim: ClaimArguments): Promise<void> {
  try {
    await claimAddress(ports, ...claim)
  } catch (error) {
    // Somebody else has registered with it since.
    if (error instanceof Refused && error.refusal.code === 'INVALID_FORM_BODY') return refuseToken()
    throw error
  }
}

type ClaimArguments = Parameters<typeof claimAddress> extends [unknown, ...infer Rest] ? Rest : never

/** Releases an address that was claimed in vain, unless a concurrent request with the same token gave it to the account. */
async function releaseUnlessHeld(
  ports: Needs,
  email: string,
  accountId: RevertEmail['accountId'],
  context: CommandContext,
): Promise<void> {
  const { state } = await ports.aggregates.account.load(accountId)
  if (state.status !== 'registered' || state.email !== email)
    await releaseAddress(ports, ports.addressHash(email), accountId, context)
}

function refuseToken(): never {
  return reject('INVALID_FORM_BODY', field('token', 'INVALID_OR_EXPIRED_REVERT_TOKEN'))
}
