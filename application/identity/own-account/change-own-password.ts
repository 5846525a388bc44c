import type { Account } from '../../../domain/account/state.ts'
import { hasSecondFactor } from '../../../domain/account/state.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import type { PasswordNeeds } from '../accounts/is-password-of.ts'
import { requireUncommonPassword } from '../accounts/registering/require-uncommon-password.ts'
import { newSessionToken, sessionTokenHash } from '../tokens/session-token.ts'
import { bySession } from '../../access/by-session.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { resetPasswordTicket } from '../recovery/mailed-tokens.ts'
import { tellOfNewPassword } from '../recovery/tell-of-new-password.ts'
import { provePassword } from '../sudo/verify-sudo.ts'

/**
 * Checks a change of password. Refuses with PASSWORD_IS_TOO_COMMON on `new_password`; and, if the account has a
 * password, on `password` with PASSWORD_NOT_SET without the current one, and as `provePassword` does.
 */
export async function requirePasswordChange(
  ports: Pick<Ports, 'allowances'> & PasswordNeeds,
  caller: Caller,
  account: Account,
  wish: { readonly newPassword: string; readonly password: string | null },
): Promise<void> {
  requireUncommonPassword(wish.newPassword, 'new_password')
  if (account.passwordHash === null) return
  if (wish.password === null) return reject('INVALID_FORM_BODY', field('password', 'PASSWORD_NOT_SET'))
  // If the account has nothing else to prove itself by, sudo mode has already proved the password.
  if (hasSecondFactor(account.secondFactors)) {
    await provePassword(ports, caller, account, wish.password)
  }
}

/** The session that replaces the caller's. */
export interface NewSession {
  readonly token: string
  readonly tokenHash: string
}

type Needs = Pick<Ports, 'aggregates' | 'mail' | 'passwords' | 'sessionHandovers' | 'tickets'>

/**
 * Changes an account's password. All sessions end, and a new one replaces the caller's. Gateway connections of the
 * caller's session from the caller's address get its token, AUTH_SESSION_CHANGE (decision 87). Outstanding password
 * reset tokens become invalid. See rules/users#a-new-password.
 */
export async function changeOwnPassword(
  ports: Needs,
  caller: Caller,
  account: Account,
  newPassword: string,
): Promise<NewSession> {
  const { aggregates, passwords, sessionHandovers, tickets } = ports
  const { context, credential, ip, userAgent } = caller
  const passwordHash = await passwords.hash(newPassword, caller)
  const token = newSessionToken(context)
  const tokenHash = sessionTokenHash(token)
  if (credential.kind === 'session') {
    sessionHandovers.expect({ fromTokenHash: credential.tokenHash, toTokenHash: tokenHash, token, address: ip })
  }
  const successor = { tokenHash, ip, userAgent }
  const wish = { passwordHash, except: null, successor, ...bySession(caller) }
  const change = { type: 'ChangePassword', ...wish, now: context.now } as const
  await aggregates.account.execute(account.id, change, context)
  await tickets.revokeAll(resetPasswordTicket, account.id)
  await tellOfNewPassword(ports, account, context)
  return { token, tokenHash }
}
