import type { AccountId, EntryId, GuildId } from '../ids/ids.ts'
import type { DomainEvent } from '../kernel/decider.ts'
import type { AuditActionType } from './audit-actions.ts'

/** One entry of a guild's audit log. `options` and `changes` have the contract's own keys. */
export interface GuildAuditEntry {
  readonly id: EntryId
  readonly guildId: GuildId
  readonly actionType: AuditActionType
  /** The account that did it; null if no account did. */
  readonly userId: AccountId | null
  /** An id, or the code of an invite; null for an action without a target. */
  readonly targetId: string | null
  /** At most 512 characters; null for none. */
  readonly reason: string | null
  readonly options: AuditOptions
  readonly changes: readonly AuditChange[]
  /** The personal parts: the reason, and some of the changes. They are removed when that account is erased. */
  readonly personal?: PersonalParts
}

export interface PersonalParts {
  readonly accountId: AccountId
  /** The keys of the changes. */
  readonly keys: readonly string[]
}

export interface AuditOptions {
  readonly channel_id?: string
  readonly count?: number
  /** Days, as text; replaced by `delete_message_seconds`. */
  readonly delete_member_days?: string
  readonly delete_message_seconds?: number
  readonly id?: string
  readonly integration_type?: number
  readonly message_id?: string
  readonly members_removed?: number
  readonly role_name?: string
  readonly type?: number
  readonly inviter_id?: string
  /** Seconds. */
  readonly max_age?: number
  readonly max_uses?: number
  readonly temporary?: boolean
  readonly uses?: number
}

/** One value before and after: a create entry has only `new_value`, a delete entry only `old_value`. */
export interface AuditChange {
  readonly key: string
  readonly old_value?: AuditValue
  readonly new_value?: AuditValue
}

export type AuditValue =
  | string
  | number
  | boolean
  | null
  | readonly AuditValue[]
  | { readonly [key: string]: AuditValue }

/**
 * An event's part of an entry. Actor, time and reason come from the event's metadata, except for an event that names them itself
 * because it records what others did.
 */
export type AuditDraft = Omit<GuildAuditEntry, 'id' | 'userId' | 'reason'> &
  Partial<Pick<GuildAuditEntry, 'id' | 'userId' | 'reason'>>

/** The entries of events, by type; a type that is not named has none. */
export type DraftsOf<Event extends DomainEvent> = {
  readonly [Type in Event['type']]?: (data: Extract<Event, { readonly type: Type }>['data']) => readonly AuditDraft[]
}

type Values = Readonly<Record<string, AuditValue>>

/** The changes of something new: only new values. */
export function created(values: Values): readonly AuditChange[] {
  return Object.entries(values).map(([key, value]) => ({ key, new_value: value }))
}

/** The changes of something deleted: only old values. */
export function deleted(values: Values): readonly AuditChange[] {
  return Object.entries(values).map(([key, value]) => ({ key, old_value: value }))
}

/** The changes from some values to others, for the keys of the new values. */
export function changed(before: Values, after: Values): readonly AuditChange[] {
  return Object.entries(after).map(([key, value]) => ({ key, old_value: before[key] ?? null, new_value: value }))
}

/** Changes in the order of their keys: the members of an event's data come in another order from the store than from the command. */
export function inOrderOfKeys(changes: readonly AuditChange[]): readonly AuditChange[] {
  return changes.toSorted((one, other) => (one.key < other.key ? -1 : 1))
}
