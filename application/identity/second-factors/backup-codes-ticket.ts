import type { Account } from '../../../domain/account/state.js'
import type { AccountId } from '../../../domain/ids/ids.js'
import type { EmailedCode } from '../emailed-codes/emailed-code.js'
import { ticketKind } from '../../ports/tickets.js'

/** A challenge by mail, at whose end the backup codes are shown. */
export interface BackupCodesTicket {
  readonly accountId: AccountId
  /** Where the codes go: once the account has another address, the ticket is worth nothing. */
  readonly email: string
  /** Null once it has served. */
  readonly code: EmailedCode | null
}

/** Longer than a code, which can be asked for anew. */
export const backupCodesTicket_s = 30 * 60
export const backupCodesTicket = ticketKind<BackupCodesTicket>('backup codes challenge', 'uuid')
/** Whoever gave the code may have new backup codes, once. */
export const backupCodesProof = ticketKind<{ readonly accountId: AccountId; readonly ticket_hash: string }>(
  'backup codes proof',
  'uuid',
)

/** Gives the ticket back where it is one of this account, as it is now. */
export function isTicketOf(
  found: BackupCodesTicket | undefined,
  { id, email }: Pick<Account, 'id' | 'email'>,
): found is BackupCodesTicket {
  return found?.accountId === id && found.email === email
}
