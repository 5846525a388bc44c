import type { AccountId, AdminKeyId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'

/** The events of an Admin key. Kept forever: members are added, never renamed or reused. */
export type AdminKeyEvent =
  | { readonly type: 'AdminKeyCreated'; readonly data: AdminKeyCreated }
  | { readonly type: 'AdminKeyChanged'; readonly data: Of<{ readonly changes: AdminKeyChanges }> }
  | { readonly type: 'AdminKeyDeleted'; readonly data: Of<object> }

/** Every event names its key, and the account that made the key. */
type Of<Facts> = { readonly keyId: AdminKeyId; readonly accountId: AccountId } & Facts

export interface AdminKeyCreated {
  readonly keyId: AdminKeyId
  /** The account that made the key, which the key acts for. */
  readonly accountId: AccountId
  /** 1-100 characters. */
  readonly name: string
  /** base64url SHA-256 of the whole key. */
  readonly keyHash: string
  readonly acls: readonly string[]
  readonly createdAt: Timestamp
  /** Null for a key that never expires. */
  readonly expiresAt: Timestamp | null
}

/** Only the members that changed. */
export interface AdminKeyChanges {
  readonly name?: string
  /** All ACLs of the key from now on. */
  readonly acls?: readonly string[]
}

export const adminKeyEvents: EventCatalog<AdminKeyEvent> = {
  category: 'admin_key',
  events: { AdminKeyCreated: { version: 1 }, AdminKeyChanged: { version: 1 }, AdminKeyDeleted: { version: 1 } },
}
