import type { AccountId, ApplicationId } from '../ids/ids.ts'
import { event, type EventOf } from '../kernel/event-catalog.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { ApplicationSettings, NewBot } from './state.ts'

/**
 * The events of an OAuth2 application and its bot's credentials. The bot's account has its own stream, under the same id. Kept
 * forever: members are added, never renamed or reused.
 */
export const applicationEvents = {
  ApplicationCreated: event<ApplicationCreated>({
    applicationId: 'text',
    ownerId: 'text',
    name: 'text',
    redirectUris: 'list',
    botPublic: 'flag',
    botRequireCodeGrant: 'flag',
    bot: 'object',
    botTokenHash: 'text',
    clientSecretHash: 'text',
    createdAt: 'text',
  }),
  ApplicationChanged: event<ApplicationChanged>({ applicationId: 'text', changes: 'object' }),
  BotTokenReset: event<BotTokenReset>({ applicationId: 'text', botTokenHash: 'text', revokedTokenHash: 'text' }),
  ClientSecretReset: event<ClientSecretReset>({ applicationId: 'text', clientSecretHash: 'text' }),
  ApplicationDeleted: event<ApplicationDeleted>({
    applicationId: 'text',
    ownerId: 'text',
    revokedTokenHash: 'text',
    deletedAt: 'text',
  }),
}

export type ApplicationEvent = EventOf<typeof applicationEvents>

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
  /** The owner's, under which the bot has its token; absent for 0. */
  readonly delegationVersion?: number
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
  /** The owner's, under which the bot has its token; absent for 0. */
  readonly delegationVersion?: number
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
