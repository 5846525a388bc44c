import type { ApplicationSettings } from '../../../domain/application/state.ts'
import type { AccountId, ApplicationId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { AccountRecord } from './account-queries.ts'

/** An application as the read model holds it, without its secrets. */
export interface ApplicationRecord extends ApplicationSettings {
  readonly id: ApplicationId
  readonly ownerId: AccountId
  readonly createdAt: Timestamp
}

/** An application with the facts that its owner is not shown. */
export interface OwnedApplication extends ApplicationRecord {
  readonly botTokenCreatedAt: Timestamp
  readonly clientSecretCreatedAt: Timestamp
  /** How many events it has: it grows with every change. */
  readonly version: number
}

/** Existing applications: no query gives a deleted one. */
export interface ApplicationQueries {
  find(application: ApplicationId): Promise<ApplicationRecord | undefined>
  /** Those that exist, in no order; at most 1000 ids. */
  findMany(applications: readonly ApplicationId[]): Promise<readonly ApplicationRecord[]>
  /** The applications of an account, by id: oldest first. */
  ofOwner(owner: AccountId): Promise<readonly OwnedApplication[]>
  /** How many applications an account owns. */
  countOf(owner: AccountId): Promise<number>
  /** The bot whose token has this hash, base64url SHA-256. */
  botByToken(tokenHash: string): Promise<AccountRecord | undefined>
}
