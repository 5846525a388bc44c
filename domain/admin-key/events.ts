import type { AccountId, AdminKeyId } from '../ids/ids.ts'
import { event, type EventOf } from '../kernel/event-catalog.ts'
import type { Timestamp } from '../kernel/timestamp.ts'

/** The events of an Admin key. Kept forever: members are added, never renamed or reused. */
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
  /** The account's, under which the key was made; absent for 0. */
  readonly delegationVersion?: number
}

/** Only the members that changed. */
export interface AdminKeyChanges {
  readonly name?: string
  /** All ACLs of the key from now on. */
  readonly acls?: readonly string[]
}
