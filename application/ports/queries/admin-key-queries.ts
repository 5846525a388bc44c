import type { AccountId, AdminKeyId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'

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
}

/** The oldest that `ofAccount` gives. */
export const listedAdminKeys_max = 1000

/** Keys that serve: an expired or deleted one is in no answer. */
export interface AdminKeyQueries {
  find(key: AdminKeyId, now: Timestamp): Promise<AdminKeyRecord | undefined>
  /** Those that an account has made, at most `listedAdminKeys_max`. */
  ofAccount(account: AccountId, now: Timestamp): Promise<readonly AdminKeyRecord[]>
}
