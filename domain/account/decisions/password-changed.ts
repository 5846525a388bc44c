import type { Timestamp } from '../../kernel/timestamp.js'
import type { AccountEvent } from '../events.js'
import type { Account } from '../state.js'

/** The event of a new password; null takes the password away. Hashes are salted, so the same hash means the same command. */
export function passwordChanged(
  account: Account,
  passwordHash: string | null,
  changedAt: Timestamp,
): readonly AccountEvent[] {
  if (account.passwordHash === passwordHash) return []
  return [{ type: 'PasswordChanged', data: { accountId: account.id, passwordHash, changedAt } }]
}
