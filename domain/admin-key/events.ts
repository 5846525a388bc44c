import type { AccountId, AdminKeyId } from '../ids/ids.js'
import { event, type EventOf } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'

/** What can happen to an Admin key. Kept forever: members are added, never renamed or reused. */
export const adminKeyEvents = {
  AdminKeyCreated: event<AdminKeyCreated>({
    keyId: 'text',
    accountId: 'text',
    name: 'text',
    keyHash: 'text',
    acls: 'list',
    createdAt: 'text',
    expiresAt: 'text or null',
  }),
  AdminKeyChanged: event<Of<{ readonly changes: AdminKeyChanges }>>({
    keyId: 'text',
    accountId: 'text',
    changes: 'object',
  }),
  AdminKeyDeleted: event<Of<object>>({ keyId: 'text', accountId: 'text' }),
}

export type AdminKeyEvent = EventOf<typeof adminKeyEvents>

/** Every event says which key it is of, and who made that. */
type Of<Facts> = { readonly keyId: AdminKeyId; readonly accountId: AccountId } & Facts

export interface AdminKeyCreated {
  readonly keyId: AdminKeyId
  /** Who made it, and is therefore who it acts for. */
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

/** The members that changed alone. */
export interface AdminKeyChanges {
  readonly name?: string
  /** All that the key holds from then on. */
  readonly acls?: readonly string[]
}
