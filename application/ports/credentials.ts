import type { ApplicationId } from '../../domain/ids/ids.js'
import type { Timestamp } from '../../domain/kernel/timestamp.js'
import type { AccountRecord } from './queries/account-queries.js'

/** Finds out whose bot token one is. Unknown, malformed and replaced ones are one and the same: undefined. */
export interface BotTokens {
  resolve(token: string): Promise<{ readonly account: AccountRecord } | undefined>
}

/** What an OAuth2 access token says that lives. */
export interface OAuth2Grant {
  readonly account: AccountRecord
  /** The application that it was issued to; the id of its bot account, too. */
  readonly applicationId: ApplicationId
  readonly scopes: ReadonlySet<string>
  /** Whether that is the built-in Admin OAuth2 application (contract part 1, Authentication, rule 7). */
  readonly isAdminApplication: boolean
  readonly expiresAt: Timestamp
}

/** Finds out whom an OAuth2 access token speaks for. Unknown, malformed, expired and revoked ones are undefined. */
export interface AccessTokens {
  resolve(token: string): Promise<OAuth2Grant | undefined>
}

/** An Admin key that lives, and the account that made it. */
export interface HeldAdminKey {
  readonly account: AccountRecord
  readonly keyId: string
  readonly acls: readonly string[]
}

/** Finds out whose Admin key one is. Unknown, malformed, expired and deleted ones are undefined. */
export interface AdminKeys {
  resolve(token: string): Promise<HeldAdminKey | undefined>
}
