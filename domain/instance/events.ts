import { event, type EventOf } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { LimitRule } from '../limits/limit-config.js'
import type { AccountIdentityPolicy, PolicyChanges } from './policy.js'

/** What can happen to the instance as a whole. Kept forever: members are added, never renamed or reused. */
export const instanceEvents = {
  InstancePolicyChanged: event<InstancePolicyChanged>({ changes: 'object', changedAt: 'text' }),
  AccountIdentityFixed: event<AccountIdentityFixed>({ signIn: 'text', tagStyle: 'text', fixedAt: 'text' }),
  LimitConfigChanged: event<LimitConfigChanged>({ traitDefinitions: 'list', rules: 'list', changedAt: 'text' }),
}

export type InstanceEvent = EventOf<typeof instanceEvents>

export interface InstancePolicyChanged {
  /** The members that changed alone. The client secret of single sign-on is sealed. */
  readonly changes: PolicyChanges
  readonly changedAt: Timestamp
}

/** The first account has registered: what accounts are known by can't be changed any more. */
export interface AccountIdentityFixed extends AccountIdentityPolicy {
  readonly fixedAt: Timestamp
}

/** All the rules of limits that the operator has from then on; those that are always there are not among them. */
export interface LimitConfigChanged {
  readonly traitDefinitions: readonly string[]
  readonly rules: readonly LimitRule[]
  readonly changedAt: Timestamp
}
