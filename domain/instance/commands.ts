import type { Timestamp } from '../kernel/timestamp.js'
import type { LimitConfig } from '../limits/limit-config.js'
import type { AccountIdentityPolicy, InstancePolicy, PolicyChanges } from './policy.js'

export type InstanceCommand = ChangeInstancePolicy | ChangeLimitConfig | FixAccountIdentity

/** Lays changes over the policy that the operator's settings say. */
export interface ChangeInstancePolicy {
  readonly type: 'ChangeInstancePolicy'
  readonly changes: PolicyChanges
  /** What the operator's settings say of what depends on what was before. */
  readonly settings: Pick<InstancePolicy, 'community' | 'setup'>
  /** Whether who sends it may do so only until the instance is set up, or finishes that. */
  readonly duringSetup: boolean
  readonly now: Timestamp
}

/** Replaces the operator's rules of limits. */
export interface ChangeLimitConfig {
  readonly type: 'ChangeLimitConfig'
  readonly config: LimitConfig
  readonly now: Timestamp
}

/** Keeps what accounts are known by as it is now, since accounts are about to depend on it. */
export interface FixAccountIdentity {
  readonly type: 'FixAccountIdentity'
  readonly accountIdentity: AccountIdentityPolicy
  readonly now: Timestamp
}
