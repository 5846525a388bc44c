import type { AccountId } from '../ids/ids.ts'
import { event, type EventOf } from '../kernel/event-catalog.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { LimitRule } from '../limits/limit-config.ts'
import type { AccountIdentityPolicy, PolicyChanges } from './policy.ts'

/** The events of the instance as a whole. Kept forever: members are added, never renamed or reused. */
export const instanceEvents = {
  InstancePolicyChanged: event<InstancePolicyChanged>({ changes: 'object', changedAt: 'text' }),
  AccountIdentityFixed: event<AccountIdentityFixed>({ signIn: 'text', tagStyle: 'text', fixedAt: 'text' }),
  LifetimeNumberTaken: event<LifetimeNumberTaken>({ accountId: 'text', lifetimeNumber: 'number', takenAt: 'text' }),
  LimitConfigChanged: event<LimitConfigChanged>({ traitDefinitions: 'list', rules: 'list', changedAt: 'text' }),
}

export type InstanceEvent = EventOf<typeof instanceEvents>

export interface InstancePolicyChanged {
  /** Only the members that changed. The client secret of single sign-on is sealed. */
  readonly changes: PolicyChanges
  readonly changedAt: Timestamp
}

/** The first account has registered: the account identity can no longer be changed. */
export interface AccountIdentityFixed extends AccountIdentityPolicy {
  readonly fixedAt: Timestamp
}

/** An account becomes a lifetime holder of premium under this number. Numbers are given once, from 1 up. */
export interface LifetimeNumberTaken {
  readonly accountId: AccountId
  readonly lifetimeNumber: number
  readonly takenAt: Timestamp
}

/** All the operator's limit rules from now on, without the default ones. */
export interface LimitConfigChanged {
  readonly traitDefinitions: readonly string[]
  readonly rules: readonly LimitRule[]
  readonly changedAt: Timestamp
}
