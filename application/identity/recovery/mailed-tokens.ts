import type { AccountId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'
import { ticketKind } from '../../ports/tickets.js'

const hour_s = 3600

/** Verifies the address of an account (reference identity 4.8). */
export const verifyEmailTicket = ticketKind<{ readonly accountId: AccountId }>('verify_email', 'alphanumeric')
export const verifyEmail_s = 24 * hour_s

/**
 * Lets the reader of an account's mails choose a new password (reference identity 4.9). It is bound to the address that it was
 * sent to: once the account has another one, it is invalid.
 */
export const resetPasswordTicket = ticketKind<{ readonly accountId: AccountId; readonly addressHash: string }>(
  'reset_password',
  'alphanumeric',
)
export const resetPassword_s = hour_s

/** Reverts a change of the e-mail address (reference identity 4.10). */
export const revertEmailTicket = ticketKind<RevertEmail>('revert_email', 'alphanumeric')
export const revertEmail_s = 24 * hour_s

export interface RevertEmail {
  readonly accountId: AccountId
  /** The account's previous address. */
  readonly email: string
  /** The time of the change: the `now` of ChangeEmailAddress. */
  readonly changedAt: Timestamp
}

/** How many letters and digits a mailed token has. */
export const mailedToken_characters = 64
