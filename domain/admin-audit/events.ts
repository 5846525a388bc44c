import type { AccountId, EntryId } from '../ids/ids.ts'
import type { ErrorCode } from '../kernel/error-codes.ts'
import { event, type EventOf } from '../kernel/event-catalog.ts'
import type { Timestamp } from '../kernel/timestamp.ts'

/** The events of the admin audit log. Kept forever: members are added, never renamed or reused. */
export const adminAuditEvents = {
  AdminActionRecorded: event<AdminActionRecorded>(
    {
      entryId: 'text',
      adminId: 'text',
      credential: 'text',
      action: 'text',
      targetType: 'text',
      targetId: 'text',
      metadata: 'object',
      personalMetadata: 'object or null',
      personalHash: 'text or null',
      reason: 'text or null',
      actedAt: 'text',
      previousHash: 'text or null',
      hash: 'text',
    },
    { personal: ['personalMetadata', 'personalReason'] },
  ),
  AdminActionRefused: event<AdminActionRefused>({ entryId: 'text', adminId: 'text' }),
}

export type AdminAuditEvent = EventOf<typeof adminAuditEvents>

/** A request wrote events that name an entry, but was refused in the end: no entry follows. This event is not in the chain. */
export interface AdminActionRefused {
  readonly entryId: EntryId
  readonly adminId: AccountId
  /** With which code; absent in older events, and where an item of a bulk job could not be read. */
  readonly code?: ErrorCode
}

/** An entry of the log, and its position in the chain. */
export interface AdminActionRecorded extends AuditedAction {
  /** The hash of the previous entry; null for the first. */
  readonly previousHash: string | null
  /** A keyed hash of `chainedText`, in hex. */
  readonly hash: string
}

/** `command_line`: none, but the operator's access to the instance itself. */
export const adminCredentials = ['session', 'bearer', 'admin_key', 'command_line'] as const
export type AdminCredential = (typeof adminCredentials)[number]

/** An administrator's action that succeeded (rules/administration#audit-log). */
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
  /** A keyed hash of the personal metadata and reason, which stays after their erasure; null for none. */
  readonly personalHash: string | null
  /** Null for none, and if the reason is personal. */
  readonly reason: string | null
  /** Personal: the reason of an action on an account; absent for none. Entries of earlier versions have it in `reason`. */
  readonly personalReason?: string | null
  readonly actedAt: Timestamp
}
