import type { Timestamp } from '../kernel/timestamp.ts'
import type { ApplicationCreated } from './events.ts'
import type { ApplicationSettings } from './state.ts'

export type ApplicationCommand =
  | CreateApplication
  | ChangeApplication
  | ResetBotToken
  | ResetClientSecret
  | DeleteApplication

export interface CreateApplication extends Omit<ApplicationCreated, 'createdAt' | 'delegationVersion'> {
  readonly type: 'CreateApplication'
  /** The owner's. */
  readonly delegationVersion: number
  readonly now: Timestamp
}

/** Settings that are not named stay as they are. */
export interface ChangeApplication {
  readonly type: 'ChangeApplication'
  readonly changes: Partial<ApplicationSettings>
}

export interface ResetBotToken {
  readonly type: 'ResetBotToken'
  /** base64url SHA-256 of the whole new token. */
  readonly botTokenHash: string
  /** The owner's. */
  readonly delegationVersion: number
}

export interface ResetClientSecret {
  readonly type: 'ResetClientSecret'
  /** base64url SHA-256. */
  readonly clientSecretHash: string
}

export interface DeleteApplication {
  readonly type: 'DeleteApplication'
  readonly now: Timestamp
}
