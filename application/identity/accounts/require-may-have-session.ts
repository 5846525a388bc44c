import { sessionBar } from '../../../domain/account/decisions/decide-admission.ts'
import type { Account } from '../../../domain/account/state.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { reject } from '../../commands/refused.ts'

/**
 * Refuses an account that may have no session before any step towards one, with the refusal of the account itself (`sessionBar`).
 */
export function requireMayHaveSession(account: Account, now: Timestamp): void {
  const bar = sessionBar(account, now)
  if (bar) reject(bar)
}
