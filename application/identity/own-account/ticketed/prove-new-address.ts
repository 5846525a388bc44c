import type { Account } from '../../../../domain/account/state.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { secondsAfter, type Timestamp } from '../../../../domain/kernel/timestamp.ts'
import { ownAccountState } from '../../accounts/own-account-state.ts'
import { requireUncommonPassword } from '../../accounts/registering/require-uncommon-password.ts'
import { requireUnlistedAddress } from '../../../content-rules/require-unlisted-address.ts'
import type { Caller } from '../../../caller.ts'
import { causeOf } from '../../../commands/command-context.ts'
import { reject } from '../../../commands/refused.ts'
import { requireCooledDown, requireEmailedCode } from '../../emailed-codes/code-checks.ts'
import { newEmailedCode, resend_s, type EmailedCode } from '../../emailed-codes/emailed-code.ts'
import type { Ports } from '../../../ports.ts'
import { chargeMail } from './change-mail-allowances.ts'
import { isProof } from './change-proof.ts'
import {
  emailToken_s,
  emailTokenKept_s,
  emailTokenTicket,
  moveOn,
  requireEmailChange,
  type EmailChange,
} from './email-change-ticket.ts'

/**
 * The second step of changing an e-mail address: the caller proves that they read the mails of the new one
 * (rules/users#a-new-address).
 */
type Needs = Pick<Ports, 'addressHash' | 'aggregates' | 'allowances' | 'blocklistBox' | 'mail' | 'queries' | 'tickets'>

export interface NewAddressWish {
  readonly ticket: string
  /** Normalised. */
  readonly newEmail: string
  readonly originalProof: string
  /** Checked only for being too common, for an account that gets its first password together with the address. */
  readonly newPassword: string | null
}

export interface RequestedAddress {
  readonly ticket: string
  readonly new_email: string
  readonly new_code_expires_at: Timestamp
  readonly resend_available_at: Timestamp
}

/**
 * Mails a code to the new address; a repeated call may name another address. Refuses with INVALID_FORM_BODY on `ticket` as
 * `requireEmailChange` and with ORIGINAL_EMAIL_MUST_BE_VERIFIED_FIRST, on `original_proof` with INVALID_PROOF_TOKEN, on
 * `new_password` with PASSWORD_IS_TOO_COMMON, on `new_email` with NEW_EMAIL_MUST_BE_DIFFERENT or EMAIL_ALREADY_IN_USE, with
 * CONTENT_BLOCKED for a listed address, and with RATE_LIMITED, also within 30 s of the last mail to a new address.
 */
export function requestNewAddress(ports: Needs) {
  return async (caller: Caller, wish: NewAddressWish): Promise<RequestedAddress> => {
    const { ticket, newEmail, originalProof, newPassword } = wish
    const { context } = caller
    const account = await ownAccountState(ports, caller)
    const found = await requireEmailChange(ports, account, ticket)
    requireProof(found, originalProof)
    if (newPassword !== null) requireUncommonPassword(newPassword, 'new_password')
    await requireFreeAddress(ports, account, newEmail)
    await requireUnlistedAddress(ports, newEmail)
    if (found.next) requireCooledDown(found.next, context)
    await chargeMail(ports, 'codes to new address', account.id)
    const { text, kept } = newEmailedCode(context)
    await moveOn(ports, ticket, (change) => {
      requireProof(change, originalProof)
      if (change.next) requireCooledDown(change.next, context)
      return { ...change, next: { email: newEmail, code: kept } }
    })
    await mailCodeToNewAddress(ports, caller, account, newEmail, text)
    return requestedAddress(ticket, newEmail, kept)
  }
}

/** The answer after mailing a code to a new address. */
export function requestedAddress(ticket: string, newEmail: string, code: EmailedCode): RequestedAddress {
  return {
    ticket,
    new_email: newEmail,
    new_code_expires_at: code.expiresAt,
    resend_available_at: secondsAfter(code.sentAt, resend_s),
  }
}

/** Mails a new code to the new address. Refuses on `ticket` as above and with NO_NEW_EMAIL_REQUESTED; RATE_LIMITED. */
export function resendToNewAddress(ports: Needs) {
  return async (caller: Caller, ticket: string): Promise<void> => {
    const { context } = caller
    const account = await ownAccountState(ports, caller)
    const { email } = requested(await requireEmailChange(ports, account, ticket), caller)
    await chargeMail(ports, 'codes to new address', account.id)
    const { text, kept } = newEmailedCode(context)
    await moveOn(ports, ticket, (change) => {
      const next = requested(change, caller)
      // Another request may have named another address meanwhile, which this mail would not reach.
      if (next.email !== email) return reject('CONFLICT')
      return { ...change, next: { ...next, code: kept } }
    })
    await mailCodeToNewAddress(ports, caller, account, email, text)
  }
}

/**
 * Uses up the code to the new address and completes the ticket. The resulting token applies the change. Refuses with
 * INVALID_FORM_BODY on `ticket` as `requireEmailChange`, on `original_proof` with INVALID_PROOF_TOKEN, and on `code` as
 * `requireEmailedCode`.
 */
export function proveNewAddress(ports: Needs) {
  return async (
    caller: Caller,
    answer: { readonly ticket: string; readonly code: string; readonly originalProof: string },
  ): Promise<{ readonly email_token: string }> => {
    const { context } = caller
    const account = await ownAccountState(ports, caller)
    await requireEmailChange(ports, account, answer.ticket)
    const { next } = await moveOn(ports, answer.ticket, (change) => {
      requireProof(change, answer.originalProof)
      requireEmailedCode(change.next ?? { code: null }, answer.code, context)
      return { ...change, isCompleted: true }
    })
    if (!next) throw new Error('A code was accepted that was never mailed')
    const expiresAt = secondsAfter(context.now, emailToken_s)
    const proved = { accountId: account.id, email: next.email, from: account.email, expiresAt }
    return { email_token: await ports.tickets.issue(emailTokenTicket, proved, emailTokenKept_s, account.id) }
  }
}

function requireProof({ proofHash }: EmailChange, proof: string): void {
  if (proofHash === null) reject('INVALID_FORM_BODY', field('ticket', 'ORIGINAL_EMAIL_MUST_BE_VERIFIED_FIRST'))
  if (!isProof(proofHash, proof)) reject('INVALID_FORM_BODY', field('original_proof', 'INVALID_PROOF_TOKEN'))
}

function requested({ next }: EmailChange, { context }: Caller): NonNullable<EmailChange['next']> {
  if (!next) return reject('INVALID_FORM_BODY', field('ticket', 'NO_NEW_EMAIL_REQUESTED'))
  requireCooledDown(next, context)
  return next
}

/** Refuses with INVALID_FORM_BODY on `new_email` with NEW_EMAIL_MUST_BE_DIFFERENT or EMAIL_ALREADY_IN_USE. */
export async function requireFreeAddress(
  { addressHash, aggregates }: Pick<Needs, 'addressHash' | 'aggregates'>,
  account: Account,
  newEmail: string,
): Promise<void> {
  if (newEmail === account.email) reject('INVALID_FORM_BODY', field('new_email', 'NEW_EMAIL_MUST_BE_DIFFERENT'))
  const { state } = await aggregates.emailAddress.load(addressHash(newEmail))
  if (state.status === 'held' && state.accountId !== account.id) {
    reject('INVALID_FORM_BODY', field('new_email', 'EMAIL_ALREADY_IN_USE'))
  }
}

/** Mails a code to an account's new address, once per command. */
export async function mailCodeToNewAddress(
  { mail }: Pick<Needs, 'mail'>,
  { context }: Caller,
  { id: accountId, username, locale }: Account,
  to: string,
  code: string,
): Promise<void> {
  const key = `email change new ${context.commandId}`
  const cause = causeOf(context)
  await mail.send({ accountId, to, template: 'email_change_new', values: { username, code }, locale, key, cause })
}
