import type { ApplicationId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { AccountRecord } from './queries/account-queries.ts'

/** Finds the bot that a bot token belongs to. Undefined for unknown, malformed and replaced tokens alike. */
export interface BotTokens {
  resolve(token: string): Promise<{ readonly account: AccountRecord } | undefined>
}

/** What a valid OAuth2 access token grants. */
export interface OAuth2Grant {
  readonly account: AccountRecord
  /** The application that the token was issued to; also the id of its bot account. */
  readonly applicationId: ApplicationId
  readonly scopes: ReadonlySet<string>
  /**
   * Whether that is the console or the operator's Admin application: no other one's tokens may act as an administrator
   * (rules/administration#who-may-call).
   */
  readonly isAdminApplication: boolean
  readonly expiresAt: Timestamp
  /** The session of the account that the token ends with; absent if it ends with none. */
  readonly sessionHash?: string
}

/** Finds the grant of an OAuth2 access token. Undefined for unknown, malformed, expired and revoked tokens. */
export interface AccessTokens {
  resolve(token: string): Promise<OAuth2Grant | undefined>
}

/** A valid Admin key and the account that made it. */
export interface HeldAdminKey {
  readonly account: AccountRecord
  readonly keyId: string
  readonly acls: readonly string[]
}

/** Finds the Admin key of a token. Undefined for unknown, malformed, expired and deleted keys. */
export interface AdminKeys {
  resolve(token: string): Promise<HeldAdminKey | undefined>
}
