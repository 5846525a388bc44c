import type { AccountId, RegistrationUrlId } from '../ids/ids.ts'
import { event, type EventOf } from '../kernel/event-catalog.ts'
import type { Timestamp } from '../kernel/timestamp.ts'

const registrationUrlUse = { registrationUrlId: 'text', accountId: 'text', useCount: 'number' } as const

/** The events of a registration URL. Kept forever: members are added, never renamed or reused. */
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
