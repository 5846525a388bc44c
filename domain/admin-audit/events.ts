import { accountId, type AccountId, type EntryId } from '../ids/ids.js'
import { snowflake } from '../ids/snowflake.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'

/** The events of the admin audit log. Kept forever: members are added, never renamed or reused. */
export type AdminAuditEvent =
  | { readonly type: 'AdminActionRecorded'; readonly data: AdminActionRecorded }
  | { readonly type: 'AdminActionRefused'; readonly data: AdminActionRefused }

/** A request wrote events that name an entry, but was refused in the end: no entry follows. This event is not in the chain. */
export interface AdminActionRefused {
  readonly entryId: EntryId
  readonly adminId: AccountId
}

/** An entry of the log, and its place in the chain. */
export interface AdminActionRecorded extends AuditedAction {
  /** The hash of the previous entry; null for the first. */
  readonly previousHash: string | null
  /** A keyed hash of `chainedText`, in hex. */
  readonly hash: string
}

export const adminCredentials = ['session', 'bearer', 'admin_key'] as const
export type AdminCredential = (typeof adminCredentials)[number]

/** An administrator's action that succeeded (reference identity 8.4). */
export interface AuditedAction {
  readonly entryId: EntryId
  readonly adminId: AccountId
  /** The kind of the acting credential. */
  readonly credential: AdminCredential
  readonly action: string
  readonly targetType: string
  /** Decimal; `0` if the target has no id. */
  readonly targetId: string
  /** Values have at most 4000 characters. */
  readonly metadata: Readonly<Record<string, string>>
  /** Personal: more metadata, about the target account, or else about the administrator; null for none. */
  readonly personalMetadata: Readonly<Record<string, string>> | null
  /** A keyed hash of the personal metadata, which stays after their erasure; null for none. */
  readonly personalHash: string | null
  readonly reason: string | null
  readonly actedAt: Timestamp
}

export const adminAuditEvents: EventCatalog<AdminAuditEvent> = {
  category: 'admin_audit',
  events: {
    AdminActionRecorded: { version: 1, personal: ['personalMetadata'] },
    AdminActionRefused: { version: 1 },
  },
  snapshots: 'clear',
  subjectOf: (_, { targetType, targetId, adminId }) =>
    accountId(snowflake(String(targetType === 'user' ? targetId : adminId))),
}
