import type { Account } from '../../../../domain/account/state.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { secondsAfter, type Timestamp } from '../../../../domain/kernel/timestamp.ts'
import { ownAccountState } from '../../accounts/own-account-state.ts'
import { requireUncommonPassword } from '../../accounts/registering/require-uncommon-password.ts'
import type { Caller } from '../../../caller.ts'
import { causeOf } from '../../../commands/command-context.ts'
import { reject } from '../../../commands/refused.ts'
import { requireCooledDown, requireEmailedCode } from '../../emailed-codes/code-checks.ts'
import { newEmailedCode, resend_s } from '../../emailed-codes/emailed-code.ts'
import type { Ports } from '../../../ports.ts'
import { changeOwnPassword } from '../change-own-password.ts'
import { chargeMail } from './change-mail-allowances.ts'
import { isProof, newProof } from './change-proof.ts'
import {
  moveOn,
  passwordChange_s,
  passwordChangeTicket,
  requirePasswordTicket,
  type PasswordChange,
} from './password-change-ticket.ts'

type Needs = Pick<Ports, 'aggregates' | 'allowances' | 'mail' | 'passwords' | 'sessionHandovers' | 'tickets'>

export interface StartedPasswordChange {
  readonly ticket: string
  readonly code_expires_at: Timestamp
  readonly resend_available_at: Timestamp
}

/**
 * Mails a code that lets the caller choose a new password. Refuses with INVALID_FORM_BODY with
 * USER_DOES_NOT_HAVE_AN_EMAIL_ADDRESS on `email`, and with RATE_LIMITED. See rules/users#a-new-password.
 */
export function startPasswordChange(ports: Needs) {
  return async (caller: Caller): Promise<StartedPasswordChange> => {
    const account = await ownAccountState(ports, caller)
    const { id: accountId, email, credentialVersion } = account
    if (email === null) return reject('INVALID_FORM_BODY', field('email', 'USER_DOES_NOT_HAVE_AN_EMAIL_ADDRESS'))
    await chargeMail(ports, 'password changes', accountId)
    const { text, kept } = newEmailedCode(caller.context)
    const started = { accountId, email, credentialVersion, code: kept, proofHash: null, isCompleted: false }
    const ticket = await ports.tickets.issue(passwordChangeTicket, started, passwordChange_s, accountId)
    await mailCode(ports, caller, account, email, text)
    return { ticket, code_expires_at: kept.expiresAt, resend_available_at: secondsAfter(kept.sentAt, resend_s) }
  }
}

/**
 * Mails a new code; the earlier code and its proof become invalid. Refuses on `ticket` as `requirePasswordTicket`, and
 * with RATE_LIMITED, also within 30 s of the last mail.
 */
export function resendPasswordChange(ports: Needs) {
  return async (caller: Caller, ticket: string): Promise<void> => {
    const { context } = caller
    const account = await ownAccountState(ports, caller)
    const found = await requirePasswordTicket(ports, account, ticket)
    requireCooledDown(found, context)
    await chargeMail(ports, 'password change resends', account.id)
    const { text, kept } = newEmailedCode(context)
    await moveOn(ports, ticket, (change) => {
      requireCooledDown(change, context)
      return { ...change, code: kept, proofHash: null }
    })
    await mailCode(ports, caller, account, found.email, text)
  }
}

/** Uses up the code. Refuses on `ticket` as above, and on `code` as `requireEmailedCode`. */
export function verifyPasswordChange(ports: Needs) {
  return async (caller: Caller, ticket: string, code: string): Promise<{ readonly verification_proof: string }> => {
    const { context } = caller
    await requirePasswordTicket(ports, await ownAccountState(ports, caller), ticket)
    const proof = newProof(context)
    await moveOn(ports, ticket, (change) => {
      requireEmailedCode(change, code, context)
      return { ...change, code: null, proofHash: proof.hash }
    })
    return { verification_proof: proof.text }
  }
}

export interface PasswordWish {
  readonly ticket: string
  readonly proof: string
  readonly newPassword: string
}

/** The session that replaces all others. */
export interface ChangedPassword {
  readonly token: string
  readonly auth_session_id_hash: string
}

/**
 * Changes the account's password; all sessions end, and a new one starts. Refuses with INVALID_FORM_BODY on `ticket` as
 * above, on `verification_proof` with INVALID_PROOF_TOKEN, on `new_password` with PASSWORD_IS_TOO_COMMON.
 */
export function completePasswordChange(ports: Needs) {
  return async (caller: Caller, { ticket, proof, newPassword }: PasswordWish): Promise<ChangedPassword> => {
    const account = await ownAccountState(ports, caller)
    requireProof(await requirePasswordTicket(ports, account, ticket), proof)
    requireUncommonPassword(newPassword, 'new_password')
    await moveOn(ports, ticket, (change) => {
      requireProof(change, proof)
      return { ...change, isCompleted: true }
    })
    const { token, tokenHash } = await changeOwnPassword(ports, caller, account, newPassword)
    return { token, auth_session_id_hash: tokenHash }
  }
}

function requireProof({ proofHash }: PasswordChange, proof: string): void {
  if (!isProof(proofHash, proof)) reject('INVALID_FORM_BODY', field('verification_proof', 'INVALID_PROOF_TOKEN'))
}

async function mailCode(
  { mail }: Needs,
  { context }: Caller,
  { id: accountId, username, locale }: Account,
  to: string,
  code: string,
): Promise<void> {
  const key = `password change ${context.commandId}`
  const cause = causeOf(context)
  await mail.send({ accountId, to, template: 'password_change', values: { username, code }, locale, key, cause })
}
