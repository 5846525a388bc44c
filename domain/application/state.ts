import type { AccountId, ApplicationId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'

/** The life of an application. Keeps the bot's registration data, for a deletion before the bot's account is registered. */
export type ApplicationState =
  | { readonly status: 'absent' }
  | ({ readonly status: 'created' } & Application)
  | ({ readonly status: 'deleted' } & ApplicationOrigin)

/** The constant part of an application. */
export interface ApplicationOrigin {
  readonly id: ApplicationId
  readonly ownerId: AccountId
  /** As of the application's creation; the bot's account has the current data. */
  readonly bot: NewBot
  readonly createdAt: Timestamp
}

/** The start of a bot's account. */
export interface NewBot {
  readonly username: string
  /** 1-9999. */
  readonly discriminator: number
  readonly locale: string
}

export interface Application extends ApplicationOrigin, ApplicationSettings {
  /** base64url SHA-256 of the bot's whole token. */
  readonly botTokenHash: string
  /** The owner's when the bot got this token. */
  readonly delegationVersion: number
  /** base64url SHA-256. */
  readonly clientSecretHash: string
}

/** The settings that its owner can change. */
export interface ApplicationSettings {
  /** 1-100 characters. */
  readonly name: string
  /** At most `redirectUris_max`, each 1-256 characters, as sent: they are compared exactly. */
  readonly redirectUris: readonly string[]
  /** Whether anybody but the owner may add the bot. */
  readonly botPublic: boolean
  /** Whether adding the bot requires an authorisation code. */
  readonly botRequireCodeGrant: boolean
}

/** How many redirect URIs an application may have. */
export const redirectUris_max = 10
