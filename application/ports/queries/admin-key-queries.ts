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

/** `ofAccount` gives this many keys at most, the oldest. */
export const listedAdminKeys_max = 1000

/** Valid keys only: no query gives an expired or deleted key. */
export interface AdminKeyQueries {
  find(key: AdminKeyId, now: Timestamp): Promise<AdminKeyRecord | undefined>
  /** The keys of an account, at most `listedAdminKeys_max`. */
  ofAccount(account: AccountId, now: Timestamp): Promise<readonly AdminKeyRecord[]>
}
