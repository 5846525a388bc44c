import type { Account } from '../../../../domain/account/state.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { secondsAfter, type Timestamp } from '../../../../domain/kernel/timestamp.ts'
import { ownAccountState } from '../../accounts/own-account-state.ts'
import type { Caller } from '../../../caller.ts'
import { causeOf } from '../../../commands/command-context.ts'
import { reject } from '../../../commands/refused.ts'
import { requireCooledDown, requireEmailedCode } from '../../emailed-codes/code-checks.ts'
import { newEmailedCode, resend_s } from '../../emailed-codes/emailed-code.ts'
import type { Ports } from '../../../ports.ts'
import { chargeMail } from './change-mail-allowances.ts'
import { newProof } from './change-proof.ts'
import {
  emailChange_s,
  emailChangeTicket,
  moveOn,
  requireEmailChange,
  type EmailChange,
} from './email-change-ticket.ts'

/**
 * The first step of changing an e-mail address: the caller proves that they read the mails of the current one
 * (rules/users#a-new-address).
 */
type Needs = Pick<Ports, 'aggregates' | 'allowances' | 'mail' | 'tickets'>

export interface StartedEmailChange {
  readonly ticket: string
  readonly require_original: boolean
  readonly original_email: string | null
  /** Given at once if the current address need not be proved, else null. */
  readonly original_proof: string | null
  readonly original_code_expires_at: Timestamp | null
  readonly resend_available_at: Timestamp | null
}

/**
 * Starts a change. A verified address must be proved by a code, which is mailed to it; otherwise the proof is given at once.
 * Refuses with INVALID_FORM_BODY with MUST_HAVE_EMAIL_TO_CHANGE_IT on `email` for an account with a password but no address, and
 * with RATE_LIMITED.
 */
export function startEmailChange(ports: Needs) {
  return async (caller: Caller): Promise<StartedEmailChange> => {
    const account = await ownAccountState(ports, caller)
    const { id: accountId, email, emailVerified, passwordHash } = account
    if (email === null && passwordHash !== null) {
      return reject('INVALID_FORM_BODY', field('email', 'MUST_HAVE_EMAIL_TO_CHANGE_IT'))
    }
    await chargeMail(ports, 'codes to present address', accountId)
    const started = { accountId, from: email, next: null, isCompleted: false }
    if (email === null || !emailVerified) return startProved(ports, caller, started)
    const { text, kept } = newEmailedCode(caller.context)
    const change: EmailChange = { ...started, original: { code: kept }, proofHash: null }
    const ticket = await ports.tickets.issue(emailChangeTicket, change, emailChange_s, accountId)
    await mailCode(ports, caller, account, text)
    return {
      ticket,
      require_original: true,
      original_email: email,
      original_proof: null,
      original_code_expires_at: kept.expiresAt,
      resend_available_at: secondsAfter(kept.sentAt, resend_s),
    }
  }
}

async function startProved(
  { tickets }: Needs,
  { context }: Caller,
  started: Omit<EmailChange, 'original' | 'proofHash'>,
): Promise<StartedEmailChange> {
  const proof = newProof(context)
  const change: EmailChange = { ...started, proofHash: proof.hash }
  return {
    ticket: await tickets.issue(emailChangeTicket, change, emailChange_s, started.accountId),
    require_original: false,
    original_email: started.from,
    original_proof: proof.text,
    original_code_expires_at: null,
    resend_available_at: null,
  }
}

/**
 * Mails a new code to the current address; the earlier one becomes invalid. Refuses with INVALID_FORM_BODY on `ticket` as
 * `requireEmailChange`, and with ORIGINAL_VERIFICATION_NOT_REQUIRED or ORIGINAL_EMAIL_ALREADY_VERIFIED; and with RATE_LIMITED,
 * also within 30 s of the last mail.
 */
export function resendToPresentAddress(ports: Needs) {
  return async (caller: Caller, ticket: string): Promise<void> => {
    const { context } = caller
    const account = await ownAccountState(ports, caller)
    requireCooledDown(unproved(await requireEmailChange(ports, account, ticket)), context)
    await chargeMail(ports, 'codes to present address', account.id)
    const { text, kept } = newEmailedCode(context)
    await moveOn(ports, ticket, (change) => {
      requireCooledDown(unproved(change), context)
      return { ...change, original: { code: kept } }
    })
    await mailCode(ports, caller, account, text)
  }
}

/** Uses up the code to the current address. Refuses on `ticket` as resending does, and on `code` as `requireEmailedCode`. */
export function provePresentAddress(ports: Needs) {
  return async (caller: Caller, ticket: string, code: string): Promise<{ readonly original_proof: string }> => {
    const { context } = caller
    await requireEmailChange(ports, await ownAccountState(ports, caller), ticket)
    const proof = newProof(context)
    await moveOn(ports, ticket, (change) => {
      requireEmailedCode(unproved(change), code, context)
      return { ...change, original: { code: null }, proofHash: proof.hash }
    })
    return { original_proof: proof.text }
  }
}

/** The code to the current address, which was not entered yet. */
function unproved({ original, proofHash }: EmailChange): NonNullable<EmailChange['original']> {
  if (!original) return reject('INVALID_FORM_BODY', field('ticket', 'ORIGINAL_VERIFICATION_NOT_REQUIRED'))
  if (proofHash !== null) return reject('INVALID_FORM_BODY', field('ticket', 'ORIGINAL_EMAIL_ALREADY_VERIFIED'))
  return original
}

async function mailCode({ mail }: Needs, { context }: Caller, account: Account, code: string): Promise<void> {
  const { id: accountId, email, username, locale } = account
  if (email === null) return reject('INVALID_FORM_BODY', field('ticket', 'NO_ORIGINAL_EMAIL_ON_RECORD'))
  const letter = { accountId, to: email, locale, key: `email change original ${context.commandId}` }
  const values = { username, code }
  await mail.send({ ...letter, template: 'email_change_original', values, cause: causeOf(context) })
}
