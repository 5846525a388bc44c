import type { Timestamp } from '../kernel/timestamp.js'
import type { AccountIdentityPolicy, PolicyChanges } from './policy.js'

export type InstanceCommand = ChangeInstancePolicy | FixAccountIdentity

/** Lays changes over the policy that the operator's settings say. */
export interface ChangeInstancePolicy {
  readonly type: 'ChangeInstancePolicy'
  readonly changes: PolicyChanges
  readonly now: Timestamp
}

/** Keeps what accounts are known by as it is now, since accounts are about to depend on it. */
export interface FixAccountIdentity {
  readonly type: 'FixAccountIdentity'
  readonly accountIdentity: AccountIdentityPolicy
  readonly now: Timestamp
}
