import type { AccountId, RegistrationUrlId } from '../ids/ids.js'
import { event, type EventOf } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'

const registrationUrlUse = { registrationUrlId: 'text', accountId: 'text', useCount: 'number' } as const

/** What can happen to a registration URL. Kept forever: members are added, never renamed or reused. */
export const registrationUrlEvents = {
  RegistrationUrlCreated: event<RegistrationUrlTerms>({
    registrationUrlId: 'text',
    codeHash: 'text',
    label: 'text or null',
    createdBy: 'text or null',
    createdAt: 'text',
    expiresAt: 'text or null',
    maxUses: 'number or null',
    approvalRequired: 'flag',
  }),
  RegistrationUrlUsed: event<RegistrationUrlUse>(registrationUrlUse),
  RegistrationUrlUseReturned: event<RegistrationUrlUse>(registrationUrlUse),
  RegistrationUrlRevoked: event<{ readonly registrationUrlId: RegistrationUrlId }>({ registrationUrlId: 'text' }),
}

export type RegistrationUrlEvent = EventOf<typeof registrationUrlEvents>

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
