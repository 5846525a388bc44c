import { sessionBar } from '../../../domain/account/decisions/decide-admission.js'
import type { Account } from '../../../domain/account/state.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'
import { reject } from '../../commands/refused.js'

/**
 * Refuses an account that may have no session before any step towards one, with the refusal of the account itself (`sessionBar`).
 */
export function requireMayHaveSession(account: Account, now: Timestamp): void {
  const bar = sessionBar(account, now)
  if (bar) reject(bar)
}
