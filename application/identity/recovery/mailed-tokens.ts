import type { AccountId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'
import { ticketKind } from '../../ports/tickets.js'

const hour_s = 3600

/** Verifies the address of an account (reference identity 4.8). */
export const verifyEmailTicket = ticketKind<{ readonly accountId: AccountId }>('verify_email', 'alphanumeric')
export const verifyEmail_s = 24 * hour_s

/**
 * Lets whoever reads the mails of an account choose a new password (reference identity 4.9). It is bound to the address that
 * it was sent to: once the account has another one, it is worth nothing.
 */
export const resetPasswordTicket = ticketKind<{ readonly accountId: AccountId; readonly addressHash: string }>(
  'reset_password',
  'alphanumeric',
)
export const resetPassword_s = hour_s

/** Takes the change of an e-mail address back (reference identity 4.10). */
export const revertEmailTicket = ticketKind<RevertEmail>('revert_email', 'alphanumeric')
export const revertEmail_s = 24 * hour_s

export interface RevertEmail {
  readonly accountId: AccountId
  /** The address that the account had before. */
  readonly email: string
  /** When it was changed: the `now` of ChangeEmailAddress. */
  readonly changedAt: Timestamp
}

/** How many letters and digits a mailed token has. */
export const mailedToken_characters = 64
