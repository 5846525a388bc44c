import type { AccountId, AdminKeyId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Delegating } from './account-queries.ts'

/** An Admin key as the read model holds it. */
export interface AdminKeyRecord {
  readonly keyId: AdminKeyId
  readonly accountId: AccountId
  readonly name: string
  /** base64url SHA-256 of the whole key. */
  readonly keyHash: string
  readonly acls: readonly string[]
  readonly createdAt: Timestamp
  readonly expiresAt: Timestamp | null
  /** The account's when it made the key: see `stillSpeaks`. */
  readonly delegationVersion: number
}

/** No query gives an expired or deleted key. */
export interface AdminKeyQueries {
  /** Whether the key still speaks for its account is left to the reader. */
  find(key: AdminKeyId, now: Timestamp): Promise<AdminKeyRecord | undefined>
  /** The keys that speak for an account, at most `listedAdminKeys_max`. */
  ofAccount(account: Delegating, now: Timestamp): Promise<readonly AdminKeyRecord[]>
}
