import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { ticketKind } from '../../secrets/ticket-kind.ts'

const hour_s = 3600

/**
 * Verifies the address of an account. It is bound to the address that it was sent to: once the account has another one,
 * it is invalid.
 */
export const verifyEmailTicket = ticketKind<{ readonly accountId: AccountId; readonly addressHash: string }>(
  'verify_email_address',
  'alphanumeric',
)
export const verifyEmail_s = 24 * hour_s

/** Lets somebody choose a new password for an account. */
export const resetPasswordTicket = ticketKind<MailedReset | ResetByLink>('reset_password', 'alphanumeric')
export const resetPassword_s = hour_s

/** Was sent to an address: once the account has another one, it is invalid. */
export interface MailedReset {
  readonly accountId: AccountId
  readonly addressHash: string
}

/** An administrator's link, which no address is known for: once the account gains an Admin ACL, it is invalid. */
export interface ResetByLink {
  readonly accountId: AccountId
  /** The account's `aclGains` when the link was made. */
  readonly aclGains: number
}

/** Reverts a change of the e-mail address. */
export const revertEmailTicket = ticketKind<RevertEmail>('revert_email', 'alphanumeric')

export interface RevertEmail {
  readonly accountId: AccountId
  /** The account's previous address. */
  readonly email: string
  /** The time of the change, as in its event. */
  readonly changedAt: Timestamp
}

/** How many letters and digits a mailed token has. */
export const mailedToken_characters = 64
