import type { Account } from '../../../domain/account/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { EmailedCode } from '../emailed-codes/emailed-code.ts'
import { ticketKind } from '../../secrets/ticket-kind.ts'

/** A challenge by mail that shows the backup codes at its end. */
export interface BackupCodesTicket {
  readonly accountId: AccountId
  /** The address of the mail. Once the account has another one, the ticket is invalid. */
  readonly email: string
  /** Null once it was used. */
  readonly code: EmailedCode | null
}

/** Longer than a code's life, because another code can be requested. */
export const backupCodesTicket_s = 30 * 60
export const backupCodesTicket = ticketKind<BackupCodesTicket>('backup codes challenge', 'uuid')
/** A proof of the mailed code, which can replace the backup codes once. */
export const backupCodesProof = ticketKind<{ readonly accountId: AccountId; readonly ticket_hash: string }>(
  'backup codes proof',
  'uuid',
)

/** Whether the ticket belongs to this account with its current address. */
export function isTicketOf(
  found: BackupCodesTicket | undefined,
  { id, email }: Pick<Account, 'id' | 'email'>,
): found is BackupCodesTicket {
  return found?.accountId === id && found.email === email
}
