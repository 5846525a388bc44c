import type { AccountId } from '../ids/ids.ts'
import type { LimitConfig } from '../limits/limit-config.ts'
import type { AccountIdentityPolicy, PolicyChanges } from './policy.ts'

/** The changes to the instance at run time, and whether there are accounts. */
export type InstanceState = Changed &
  (
    | { readonly status: 'uninhabited' }
    | {
        readonly status: 'inhabited'
        /** The account identity, fixed when the first account registered. */
        readonly accountIdentity: AccountIdentityPolicy
      }
  )

interface Changed {
  /** All changes over the operator's settings. */
  readonly changes: PolicyChanges
  readonly limitConfig: LimitConfig
  /** The numbers of lifetime holders that were given, and who took the latest. */
  readonly lifetimes: { readonly given_count: number; readonly latest: AccountId | null }
}

/** The id of the single instance's stream. */
export const theInstance = 'self'
