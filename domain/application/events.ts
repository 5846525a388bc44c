import type { AccountId, ApplicationId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { ApplicationSettings, NewBot } from './state.js'

/**
 * The events of an OAuth2 application and its bot's credentials. The bot's account has its own stream, under the same id. Kept
 * forever: members are added, never renamed or reused.
 */
export type ApplicationEvent =
  | { readonly type: 'ApplicationCreated'; readonly data: ApplicationCreated }
  | { readonly type: 'ApplicationChanged'; readonly data: ApplicationChanged }
  | { readonly type: 'BotTokenReset'; readonly data: BotTokenReset }
  | { readonly type: 'ClientSecretReset'; readonly data: ClientSecretReset }
  | { readonly type: 'ApplicationDeleted'; readonly data: ApplicationDeleted }

export interface ApplicationCreated extends ApplicationSettings {
  readonly applicationId: ApplicationId
  readonly ownerId: AccountId
  /** The registration data of its bot. The tag is claimed already; the account follows. */
  readonly bot: NewBot
  /** base64url SHA-256 of the whole token, `<application_id>.<secret>`. */
  readonly botTokenHash: string
  /** base64url SHA-256. */
  readonly clientSecretHash: string
  readonly createdAt: Timestamp
}

export interface ApplicationChanged {
  readonly applicationId: ApplicationId
  /** Only the settings that differ. */
  readonly changes: Partial<ApplicationSettings>
}

export interface BotTokenReset {
  readonly applicationId: ApplicationId
  /** base64url SHA-256 of the whole new token. */
  readonly botTokenHash: string
  /** The hash of the previous token, now invalid. */
  readonly revokedTokenHash: string
}

export interface ClientSecretReset {
  readonly applicationId: ApplicationId
  /** base64url SHA-256. */
  readonly clientSecretHash: string
}

/** Only the bot's account remains of the application; it is erased next. */
export interface ApplicationDeleted {
  readonly applicationId: ApplicationId
  readonly ownerId: AccountId
  /** base64url SHA-256 of the bot token, now invalid. */
  readonly revokedTokenHash: string
  readonly deletedAt: Timestamp
}

export const applicationEvents: EventCatalog<ApplicationEvent> = {
  category: 'application',
  events: {
    ApplicationCreated: { version: 1 },
    ApplicationChanged: { version: 1 },
    BotTokenReset: { version: 1 },
    ClientSecretReset: { version: 1 },
    ApplicationDeleted: { version: 1 },
  },
}
