import type { AccountId, ApplicationId } from '../ids/ids.js'
import type { Timestamp } from '../kernel/timestamp.js'

/** The life of an application. What its bot was registered as is kept, for a deletion that came before the bot's account. */
export type ApplicationState =
  | { readonly status: 'absent' }
  | ({ readonly status: 'created' } & Application)
  | ({ readonly status: 'deleted' } & ApplicationOrigin)

/** What never changes of an application. */
export interface ApplicationOrigin {
  readonly id: ApplicationId
  readonly ownerId: AccountId
  /** As it was when the application was created: the bot's account knows how it is now. */
  readonly bot: NewBot
  readonly createdAt: Timestamp
}

/** A bot's account as it begins. */
export interface NewBot {
  readonly username: string
  /** 1-9999. */
  readonly discriminator: number
  readonly locale: string
}

export interface Application extends ApplicationOrigin, ApplicationSettings {
  /** base64url SHA-256 of the bot's whole token. */
  readonly botTokenHash: string
  /** base64url SHA-256. */
  readonly clientSecretHash: string
}

/** What its owner can change (reference identity 7.2). */
export interface ApplicationSettings {
  /** 1-100 characters. */
  readonly name: string
  /** At most `redirectUris_max`, each 1-256 characters, as they were sent: they are compared exactly. */
  readonly redirectUris: readonly string[]
  /** Whether others than the owner may add the bot. */
  readonly botPublic: boolean
  /** Whether the bot is added only together with an authorisation code. */
  readonly botRequireCodeGrant: boolean
}

/** How many redirect URIs an application may have (reference identity 7.3). */
export const redirectUris_max = 10
