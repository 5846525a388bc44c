import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { ownAccountState } from '../accounts/own-account-state.ts'
import { bySession } from '../../access/by-session.ts'
import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import { newRecoveryKey, recoveryKeyHash } from './recovery-key.ts'

/** When the account's recovery kit was made; null without one. */
export interface RecoveryKitStatus {
  readonly created_at: Timestamp | null
}

/** A new kit. Its key is shown only here. */
export interface NewRecoveryKit {
  readonly recovery_key: string
  readonly created_at: Timestamp
}

/** Whether the caller has a recovery kit. */
export function getRecoveryKitStatus(ports: Pick<Ports, 'aggregates'>) {
  return async (caller: Caller): Promise<RecoveryKitStatus> => {
    const { recoveryKit } = await ownAccountState(ports, caller)
    return { created_at: recoveryKit?.createdAt ?? null }
  }
}

/**
 * Makes a recovery kit for the caller; it replaces an earlier one. Its key can set a new password, once, for accounts without an
 * e-mail address for a token. Only a hash of the key is stored.
 */
export function createRecoveryKit({ aggregates }: Pick<Ports, 'aggregates'>) {
  return async ({
    account,
    credential,
    context,
  }: Pick<Caller, 'account' | 'context' | 'credential'>): Promise<NewRecoveryKit> => {
    const { now } = context
    const key = newRecoveryKey(context)
    const kit = { keyHash: recoveryKeyHash(key), ...bySession({ credential }) }
    const command = { type: 'CreateRecoveryKit', ...kit, now } as const
    await aggregates.account.execute(account.id, command, context)
    return { recovery_key: key, created_at: now }
  }
}

/** Revokes the caller's recovery kit; does nothing without one. */
export function revokeRecoveryKit({ aggregates }: Pick<Ports, 'aggregates'>) {
  return async (caller: Caller): Promise<void> => {
    const command = { type: 'RevokeRecoveryKit', ...bySession(caller) } as const
    await aggregates.account.execute(caller.account.id, command, caller.context)
  }
}
