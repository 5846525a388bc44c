import type { AccountId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import { snowflake } from '../ids/snowflake.js'
import { accountId } from '../ids/ids.js'
import { idOf } from '../kernel/streams.js'
import type { Timestamp } from '../kernel/timestamp.js'

/** What can happen to an account. Kept forever: members are added, never renamed or reused. */
export type AccountEvent =
  | { readonly type: 'AccountRegistered'; readonly data: AccountRegistered }
  | { readonly type: 'SessionStarted'; readonly data: SessionStarted }
  | { readonly type: 'SessionEnded'; readonly data: { readonly accountId: AccountId; readonly tokenHash: string } }
  | { readonly type: 'AclsGranted'; readonly data: { readonly accountId: AccountId; readonly acls: readonly string[] } }

export interface AccountRegistered {
  readonly accountId: AccountId
  readonly username: string
  /** 1-9999. */
  readonly discriminator: number
  readonly globalName: string | null
  /** Personal, as are the next two: null where not given, and once the account's key is destroyed. */
  readonly email: string | null
  readonly passwordHash: string | null
  /** YYYY-MM-DD. */
  readonly dateOfBirth: string | null
  readonly emailVerified: boolean
  readonly locale: string
  readonly registeredAt: Timestamp
}

export interface SessionStarted {
  readonly accountId: AccountId
  /** base64url SHA-256 of the token; the public id of the session. */
  readonly tokenHash: string
  readonly startedAt: Timestamp
  /** Personal. */
  readonly ip: string | null
  /** Personal: at most 512 characters of the User-Agent header. */
  readonly userAgent: string | null
}

export const accountEvents: EventCatalog<AccountEvent> = {
  category: 'account',
  events: {
    AccountRegistered: { version: 1, personal: ['email', 'passwordHash', 'dateOfBirth'] },
    SessionStarted: { version: 1, personal: ['ip', 'userAgent'] },
    SessionEnded: { version: 1 },
    AclsGranted: { version: 1 },
  },
  subjectOf: (stream) => accountId(snowflake(idOf(stream))),
}
