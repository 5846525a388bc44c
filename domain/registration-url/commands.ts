import type { AccountId } from '../ids/ids.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { RegistrationUrlTerms } from './events.js'

export type RegistrationUrlCommand =
  | CreateRegistrationUrl
  | UseRegistrationUrl
  | ReturnRegistrationUrlUse
  | RevokeRegistrationUrl

export interface CreateRegistrationUrl {
  readonly type: 'CreateRegistrationUrl'
  readonly terms: RegistrationUrlTerms
}

/** Takes one use for an account before it registers. */
export interface UseRegistrationUrl {
  readonly type: 'UseRegistrationUrl'
  readonly accountId: AccountId
  readonly now: Timestamp
}

/** Returns the use of an account that was not registered. */
export interface ReturnRegistrationUrlUse {
  readonly type: 'ReturnRegistrationUrlUse'
  readonly accountId: AccountId
}

export interface RevokeRegistrationUrl {
  readonly type: 'RevokeRegistrationUrl'
}
