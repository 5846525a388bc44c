import { sessionBar } from '../../../domain/account/decisions/decide-admission.js'
import type { Account } from '../../../domain/account/state.js'
import { reject } from '../../commands/refused.js'

/**
 * Refuses what leads to a session of an account that may have none, before anything is done: as the account itself refuses
 * the session (`sessionBar`).
 */
export function requireMayHaveSession(account: Account): void {
  const bar = sessionBar(account)
  if (bar) reject(bar)
}
