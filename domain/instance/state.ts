import type { LimitConfig } from '../limits/limit-config.js'
import type { AccountIdentityPolicy, PolicyChanges } from './policy.js'

/** What was changed on the instance while it ran, and whether there are accounts. */
export type InstanceState = Changed &
  (
    | { readonly status: 'uninhabited' }
    | {
        readonly status: 'inhabited'
        /** What accounts are known by, since the first of them registered. */
        readonly accountIdentity: AccountIdentityPolicy
      }
  )

interface Changed {
  /** All that lies over the operator's settings. */
  readonly changes: PolicyChanges
  readonly limitConfig: LimitConfig
}

/** The one instance there is: what the id of its stream ends with. */
export const theInstance = 'self'
