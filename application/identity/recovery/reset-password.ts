import { isSuspendedForGood } from '../../../domain/account/decisions/decide-admission.ts'
import type { Account } from '../../../domain/account/state.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { requireMayHaveSession } from '../accounts/require-may-have-session.ts'
import { requireUncommonPassword } from '../accounts/registering/require-uncommon-password.ts'
import { signIn, type MfaChallenge, type SignInNeeds } from '../accounts/sign-in.ts'
import type { AuthToken } from '../accounts/start-session.ts'
import { refuseBot } from '../../access/refuse-bots.ts'
import type { Requester } from '../../caller.ts'
import { contextWith } from '../../commands/following-context.ts'
import { insteadOf, reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { resetPasswordTicket, type MailedReset, type ResetByLink } from './mailed-tokens.ts'
import { tellOfNewPassword } from './tell-of-new-password.ts'

/** A token from a mail or a link, and the new password. */
export interface NewPassword {
  readonly token: string
  readonly password: string
}

type Needs = SignInNeeds & Pick<Ports, 'addressHash' | 'mail' | 'passwords'>

/** Whether a token would reset a password now. */
export function resetTokenValidity(ports: Pick<Ports, 'addressHash' | 'aggregates' | 'tickets'>) {
  return async (token: string): Promise<{ readonly valid: boolean }> => {
    const holder = await holderOf(ports, await ports.tickets.look(resetPasswordTicket, token))
    return { valid: holder !== undefined }
  }
}

/**
 * Sets a new password by a token, which works once; other tokens stay valid. All sessions end; then a new one starts,
 * or a second factor is needed. Refuses with INVALID_FORM_BODY with PASSWORD_IS_TOO_COMMON on `password` or
 * INVALID_OR_EXPIRED_RESET_TOKEN on `token`, with BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED, and as `requireMayHaveSession`.
 * See rules/credentials#forgotten-passwords.
 */
export function resetPassword(ports: Needs) {
  return async (requester: Requester, { token, password }: NewPassword): Promise<AuthToken | MfaChallenge> => {
    const { aggregates, passwords, tickets } = ports
    requireUncommonPassword(password)
    // Checked before the long work of hashing, so that made-up tokens cannot cause that work.
    const holder = await holderOf(ports, await tickets.look(resetPasswordTicket, token))
    if (!holder) return refuseToken()
    await refuseBot(ports, holder.id)
    requireMayHaveSession(holder, requester.context.now)
    const passwordHash = await passwords.hash(password, requester)
    const account = await holderOf(ports, await tickets.take(resetPasswordTicket, token))
    if (!account) return refuseToken()
    const { now } = requester.context
    const context = contextWith(requester.context, { actor: { kind: 'account', id: account.id } })
    const change = { passwordHash, except: null, provedUnder: account.credentialVersion, now } as const
    const { state } = await aggregates.account
      .execute(account.id, { type: 'ChangePassword', ...change }, context)
      .catch(insteadOf('UNAUTHORIZED', refuseToken))
    if (state.status !== 'registered') return refuseToken()
    await tellOfNewPassword(ports, account, context)
    const { answer } = await signIn(ports, requester, account.id, {
      byMail: true,
      provedUnder: state.credentialVersion,
    })
    return answer
  }
}

/**
 * The account of a ticket. Undefined if it is suspended for good; if it now has another address than the ticket was sent to; or
 * if it has gained an Admin ACL since an administrator made a link: whoever has the link would get what the administrator could
 * not give.
 */
async function holderOf(
  { addressHash, aggregates }: Pick<Ports, 'addressHash' | 'aggregates'>,
  ticket: MailedReset | ResetByLink | undefined,
): Promise<Account | undefined> {
  if (!ticket) return undefined
  const { state } = await aggregates.account.load(ticket.accountId)
  if (state.status !== 'registered' || isSuspendedForGood(state)) return undefined
  const isValid =
    'aclGains' in ticket
      ? state.aclGains === ticket.aclGains
      : state.email !== null && addressHash(state.email) === ticket.addressHash
  return isValid ? state : undefined
}

function refuseToken(): never {
  return reject('INVALID_FORM_BODY', field('token', 'INVALID_OR_EXPIRED_RESET_TOKEN'))
}
