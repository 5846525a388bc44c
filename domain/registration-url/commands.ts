import type { AccountId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { RegistrationUrlTerms } from './events.ts'

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
