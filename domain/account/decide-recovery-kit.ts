import { accept, refuse, type Decision } from '../kernel/decider.js'
import { field } from '../kernel/refusal.js'
import type { CreateRecoveryKit, ResetByRecoveryKit } from './commands.js'
import { changePassword } from './decide-identity.js'
import type { AccountEvent } from './events.js'
import type { Account } from './state.js'

/** Puts a kit by; an earlier one is worth nothing any more. */
export function createRecoveryKit(account: Account, { keyHash, now }: CreateRecoveryKit): Decision<AccountEvent> {
  if (account.recoveryKit?.keyHash === keyHash) return accept()
  return accept({ type: 'RecoveryKitCreated', data: { accountId: account.id, keyHash, createdAt: now } })
}

export function revokeRecoveryKit({ id: accountId, recoveryKit }: Account): Decision<AccountEvent> {
  return recoveryKit === null ? accept() : accept({ type: 'RecoveryKitRevoked', data: { accountId } })
}

/**
 * Spends the kit on a new password: every session ends. Refused with INVALID_CODE where the account has another kit by now,
 * or none.
 */
export function resetByRecoveryKit(account: Account, command: ResetByRecoveryKit): Decision<AccountEvent> {
  const { keyHash, passwordHash, now } = command
  if (account.recoveryKit?.keyHash !== keyHash) {
    return refuse('INVALID_FORM_BODY', field('username', 'INVALID_CODE'), field('recovery_key', 'INVALID_CODE'))
  }
  const changed = changePassword(account, { type: 'ChangePassword', passwordHash, except: null, now })
  if (changed.outcome === 'refused') return changed
  return accept<AccountEvent>({ type: 'RecoveryKitUsed', data: { accountId: account.id } }, ...changed.events)
}
