import type { AccountId } from '../ids/ids.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { RegistrationUrlTerms } from './events.js'

export type RegistrationUrlCommand =
  CreateRegistrationUrl | UseRegistrationUrl | ReturnRegistrationUrlUse | RevokeRegistrationUrl

export interface CreateRegistrationUrl {
  readonly type: 'CreateRegistrationUrl'
  readonly terms: RegistrationUrlTerms
}

/** Takes one use for an account that is about to register. */
export interface UseRegistrationUrl {
  readonly type: 'UseRegistrationUrl'
  readonly accountId: AccountId
  readonly now: Timestamp
}

/** Gives back the use of an account that did not register. */
export interface ReturnRegistrationUrlUse {
  readonly type: 'ReturnRegistrationUrlUse'
  readonly accountId: AccountId
}

export interface RevokeRegistrationUrl {
  readonly type: 'RevokeRegistrationUrl'
}
