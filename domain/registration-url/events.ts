import type { AccountId, RegistrationUrlId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'

/** The events of a registration URL. Kept forever: members are added, never renamed or reused. */
export type RegistrationUrlEvent =
  | { readonly type: 'RegistrationUrlCreated'; readonly data: RegistrationUrlTerms }
  | { readonly type: 'RegistrationUrlUsed'; readonly data: RegistrationUrlUse }
  | { readonly type: 'RegistrationUrlUseReturned'; readonly data: RegistrationUrlUse }
  | { readonly type: 'RegistrationUrlRevoked'; readonly data: { readonly registrationUrlId: RegistrationUrlId } }

/** The terms of a registration URL, fixed when it is made. */
export interface RegistrationUrlTerms {
  readonly registrationUrlId: RegistrationUrlId
  /** base64url SHA-256 of its code. */
  readonly codeHash: string
  /** The name that operators see. */
  readonly label: string | null
  /** Null if it was made at the command line. */
  readonly createdBy: AccountId | null
  readonly createdAt: Timestamp
  /** Null for no expiry. */
  readonly expiresAt: Timestamp | null
  /** Null for no limit. */
  readonly maxUses: number | null
  /** Whether accounts registered by it need approval. */
  readonly approvalRequired: boolean
}

/** One use taken for one account. The account registers next; if it can't, the use is returned. */
export interface RegistrationUrlUse {
  readonly registrationUrlId: RegistrationUrlId
  readonly accountId: AccountId
  /** The number of uses taken: including this one after a use, without it after a return. */
  readonly useCount: number
}

export const registrationUrlEvents: EventCatalog<RegistrationUrlEvent> = {
  category: 'registration_url',
  events: {
    RegistrationUrlCreated: { version: 1 },
    RegistrationUrlUsed: { version: 1 },
    RegistrationUrlUseReturned: { version: 1 },
    RegistrationUrlRevoked: { version: 1 },
  },
}
