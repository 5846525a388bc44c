import type { AccountId, RegistrationUrlId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'

/** What can happen to a registration URL. Kept forever: members are added, never renamed or reused. */
export type RegistrationUrlEvent =
  | { readonly type: 'RegistrationUrlCreated'; readonly data: RegistrationUrlTerms }
  | { readonly type: 'RegistrationUrlUsed'; readonly data: RegistrationUrlUse }
  | { readonly type: 'RegistrationUrlUseReturned'; readonly data: RegistrationUrlUse }
  | { readonly type: 'RegistrationUrlRevoked'; readonly data: { readonly registrationUrlId: RegistrationUrlId } }

/** What a registration URL offers, fixed when it is made. */
export interface RegistrationUrlTerms {
  readonly registrationUrlId: RegistrationUrlId
  /** base64url SHA-256 of its code. */
  readonly codeHash: string
  /** What operators know it by. */
  readonly label: string | null
  /** Null for one that was made at the command line. */
  readonly createdBy: AccountId | null
  readonly createdAt: Timestamp
  /** Null for no end. */
  readonly expiresAt: Timestamp | null
  /** Null for no limit. */
  readonly maxUses: number | null
  /** Whether who comes by it waits for approval. */
  readonly approvalRequired: boolean
}

/** One use, taken for one account. The account registers next; where it can't, the use comes back. */
export interface RegistrationUrlUse {
  readonly registrationUrlId: RegistrationUrlId
  readonly accountId: AccountId
  /** Uses taken: this one included where it was taken, and without it where it came back. */
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
