import type { AccountId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { LimitConfig } from '../limits/limit-config.ts'
import type { AccountIdentityPolicy, InstancePolicy, PolicyChanges } from './policy.ts'

export type InstanceCommand = ChangeInstancePolicy | ChangeLimitConfig | FixAccountIdentity | TakeLifetimeNumber

/** Lays changes over the policy of the operator's settings. */
export interface ChangeInstancePolicy {
  readonly type: 'ChangeInstancePolicy'
  readonly changes: PolicyChanges
  /** The operator's settings that some transitions depend on. */
  readonly settings: Pick<InstancePolicy, 'community' | 'setup'>
  /** Whether the sender may act only until the setup is finished, or finishes it. */
  readonly duringSetup: boolean
  readonly now: Timestamp
}

/** Replaces the operator's limit rules. */
export interface ChangeLimitConfig {
  readonly type: 'ChangeLimitConfig'
  readonly config: LimitConfig
  readonly now: Timestamp
}

/** Takes the next number of a lifetime holder. The account that took the latest one keeps that. */
export interface TakeLifetimeNumber {
  readonly type: 'TakeLifetimeNumber'
  readonly accountId: AccountId
  readonly now: Timestamp
}

/** Fixes the account identity, since the first account is about to depend on it. */
export interface FixAccountIdentity {
  readonly type: 'FixAccountIdentity'
  readonly accountIdentity: AccountIdentityPolicy
  readonly now: Timestamp
}
