import type { Timestamp } from '../../../domain/kernel/timestamp.js'
import { ownAccountState } from '../accounts/own-account-state.js'
import type { Caller } from '../../caller.js'
import type { Ports } from '../../ports.js'
import { newRecoveryKey, recoveryKeyHash } from './recovery-key.js'

/** Whether the account has a recovery kit, and since when. */
export interface RecoveryKitStatus {
  readonly created_at: Timestamp | null
}

/** A kit that was just made: the only time at which its key is told. */
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
 * Makes the caller a recovery kit, in place of an earlier one: its key gives the account a new password, once, where there is no
 * e-mail address to send a token to. Only a hash of the key is kept.
 */
export function createRecoveryKit({ aggregates }: Pick<Ports, 'aggregates'>) {
  return async ({ account, context }: Pick<Caller, 'account' | 'context'>): Promise<NewRecoveryKit> => {
    const { now } = context
    const key = newRecoveryKey(context)
    const command = { type: 'CreateRecoveryKit', keyHash: recoveryKeyHash(key), now } as const
    await aggregates.account.execute(account.id, command, context)
    return { recovery_key: key, created_at: now }
  }
}

/** Makes the caller's recovery kit worthless; without one nothing happens. */
export function revokeRecoveryKit({ aggregates }: Pick<Ports, 'aggregates'>) {
  return async ({ account, context }: Caller): Promise<void> => {
    await aggregates.account.execute(account.id, { type: 'RevokeRecoveryKit' }, context)
  }
}
