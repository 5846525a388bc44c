import type { AccountIdentityPolicy, PolicyChanges } from './policy.js'

/** What was changed on the instance while it ran, and whether there are accounts. */
export type InstanceState =
  | { readonly status: 'uninhabited'; readonly changes: PolicyChanges }
  | {
      readonly status: 'inhabited'
      /** All that lies over the operator's settings. */
      readonly changes: PolicyChanges
      /** What accounts are known by, since the first of them registered. */
      readonly accountIdentity: AccountIdentityPolicy
    }

/** The one instance there is: what the id of its stream ends with. */
export const theInstance = 'self'
