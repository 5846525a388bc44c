import type { EventCatalog } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { LimitRule } from '../limits/limit-config.js'
import type { AccountIdentityPolicy, PolicyChanges } from './policy.js'

/** The events of the instance as a whole. Kept forever: members are added, never renamed or reused. */
export type InstanceEvent =
  | { readonly type: 'InstancePolicyChanged'; readonly data: InstancePolicyChanged }
  | { readonly type: 'AccountIdentityFixed'; readonly data: AccountIdentityFixed }
  | { readonly type: 'LimitConfigChanged'; readonly data: LimitConfigChanged }

export interface InstancePolicyChanged {
  /** Only the members that changed. The client secret of single sign-on is sealed. */
  readonly changes: PolicyChanges
  readonly changedAt: Timestamp
}

/** The first account has registered: the account identity can no longer be changed. */
export interface AccountIdentityFixed extends AccountIdentityPolicy {
  readonly fixedAt: Timestamp
}

/** All the operator's limit rules from now on, without the default ones. */
export interface LimitConfigChanged {
  readonly traitDefinitions: readonly string[]
  readonly rules: readonly LimitRule[]
  readonly changedAt: Timestamp
}

export const instanceEvents: EventCatalog<InstanceEvent> = {
  category: 'instance',
  events: {
    InstancePolicyChanged: { version: 1 },
    AccountIdentityFixed: { version: 1 },
    LimitConfigChanged: { version: 1 },
  },
}
