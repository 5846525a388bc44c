import { accept, refuse, type Decision, type Decisions } from '../../kernel/decider.ts'
import { field } from '../../kernel/refusal.ts'
import type { CreateRecoveryKit, ResetByRecoveryKit, RevokeRecoveryKit } from '../commands.ts'
import { changePassword } from './decide-identity.ts'
import type { AccountEvent } from '../events.ts'
import type { Account } from '../state.ts'

type RecoveryKitCommand = CreateRecoveryKit | RevokeRecoveryKit | ResetByRecoveryKit

/** How commands about the recovery kit are decided. */
export const recoveryKitDecisions: Decisions<Account, RecoveryKitCommand, AccountEvent> = {
  CreateRecoveryKit: createRecoveryKit,
  RevokeRecoveryKit: revokeRecoveryKit,
  ResetByRecoveryKit: resetByRecoveryKit,
}

/** Creates a kit; an earlier one becomes invalid. */
function createRecoveryKit(account: Account, { keyHash, now }: CreateRecoveryKit): Decision<AccountEvent> {
  if (account.recoveryKit?.keyHash === keyHash) return accept()
  return accept({ type: 'RecoveryKitCreated', data: { accountId: account.id, keyHash, createdAt: now } })
}

function revokeRecoveryKit({ id: accountId, recoveryKit }: Account): Decision<AccountEvent> {
  return recoveryKit === null ? accept() : accept({ type: 'RecoveryKitRevoked', data: { accountId } })
}

/**
 * Uses up the kit and changes the password; all sessions end. Refuses with INVALID_CODE if the account has another kit by now, or
 * none.
 */
function resetByRecoveryKit(account: Account, command: ResetByRecoveryKit): Decision<AccountEvent> {
  const { keyHash, passwordHash, now } = command
  if (account.recoveryKit?.keyHash !== keyHash) {
    return refuse('INVALID_FORM_BODY', field('username', 'INVALID_CODE'), field('recovery_key', 'INVALID_CODE'))
  }
  const changed = changePassword(account, { type: 'ChangePassword', passwordHash, except: null, now })
  if (changed.outcome === 'refused') return changed
  return accept<AccountEvent>({ type: 'RecoveryKitUsed', data: { accountId: account.id } }, ...changed.events)
}
