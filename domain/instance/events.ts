import type { EventCatalog } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { AccountIdentityPolicy, PolicyChanges } from './policy.js'

/** What can happen to the instance as a whole. Kept forever: members are added, never renamed or reused. */
export type InstanceEvent =
  | { readonly type: 'InstancePolicyChanged'; readonly data: InstancePolicyChanged }
  | { readonly type: 'AccountIdentityFixed'; readonly data: AccountIdentityFixed }

export interface InstancePolicyChanged {
  /** The members that changed alone. The client secret of single sign-on is sealed. */
  readonly changes: PolicyChanges
  readonly changedAt: Timestamp
}

/** The first account has registered: what accounts are known by can't be changed any more. */
export interface AccountIdentityFixed extends AccountIdentityPolicy {
  readonly fixedAt: Timestamp
}

export const instanceEvents: EventCatalog<InstanceEvent> = {
  category: 'instance',
  events: { InstancePolicyChanged: { version: 1 }, AccountIdentityFixed: { version: 1 } },
}
