import type { Guild } from '../../domain/guild/state.js'
import type { GuildAuditEntry } from '../../domain/audit/audit-entry.js'
import type { AccountId, ChannelId, EntryId, GuildId, MessageId } from '../../domain/ids/ids.js'
import type { Timestamp } from '../../domain/kernel/timestamp.js'
import type { Membership } from '../../domain/membership/state.js'
import type { PermissionMember } from '../../domain/permissions/compute-permissions.js'
import type { Stay } from '../../domain/user-settings/guild-folders.js'
import type { LastMessages } from '../../application/wire-objects/communities/channel-objects.js'
import type { Viewer } from '../../application/wire-objects/communities/guild-objects.js'
import type { AccountRecord } from '../../application/ports/queries/account-queries.js'
import type { PrivateChannel } from '../../application/ports/queries/private-channel-queries.js'
import type { PasskeyRecord } from '../../application/ports/queries/passkey-queries.js'
import type { FoundThread } from '../../application/ports/thread-lookups.js'
import type { UserGuildSettingsRecord } from '../../application/ports/queries/user-settings-queries.js'
import type { Session } from '../sessions/session.js'
import type { Link } from '../visibility/room.js'
import type { Change } from '../visibility/world.js'
import type { DispatchName } from './dispatch-names.js'

/** One dispatch to everybody it concerns, in as few different bodies as possible. */
export interface Dispatch {
  readonly t: DispatchName
  /** The guild of the dispatch; null if it concerns only an account. */
  readonly guildId: GuildId | null
  readonly audience: Audience
  /** Whether only sessions with thread access get it (reference gateway 1.7.1). */
  readonly threadAccessOnly?: boolean
  readonly body: Body
}

/** The receivers: the sessions of the guild that pass its gates, or these sessions. */
export type Audience =
  | {
      readonly kind: 'guild'
      readonly except?: AccountId
      /** The member that it is about, who is notified even while passive (reference gateway 2.2). */
      readonly about?: AccountId
      /** Judged once for all members with the same rights. */
      readonly needs?: (guild: Guild, member: PermissionMember) => boolean
      /** Judged for each session separately, in addition to `needs`. */
      readonly admits?: (link: Link) => boolean
      readonly mentions?: (member: PermissionMember) => Mention
    }
  | {
      readonly kind: 'sessions'
      readonly sessions: readonly Session[]
      readonly mentions?: (member: PermissionMember) => Mention
    }

/**
 * Whether a message mentions somebody. A mentioned member is notified even while passive; a directly mentioned one even if its
 * session ignores such events (reference gateway 2.2).
 */
export type Mention = 'directly' | 'by role' | 'not'

/**
 * `d`: one for all; or one for viewers with thread access and one for those without; or one for all except some accounts, which
 * have their own.
 */
export type Body =
  | { readonly per: 'event'; readonly value: object }
  | { readonly per: 'viewer'; readonly valueFor: (viewer: Viewer) => object }
  | { readonly per: 'account'; readonly value: object; readonly valueFor: (account: AccountId) => object | undefined }

/** The context of an event's dispatches: what it changed, and what was looked up for them. */
export interface Scene extends Change {
  /** One of the requested accounts; one that is gone looks like a deleted one. */
  readonly account: (id: AccountId) => AccountRecord
  /** The passkeys of the requested account. */
  readonly passkeys: readonly PasskeyRecord[]
  /** The account's notification settings for the requested guild; undefined if nothing is chosen. */
  readonly guildSettings: UserGuildSettingsRecord | undefined
  /** The requested member, as it is now; undefined if it has left. */
  readonly member: Membership | undefined
  /** The requested private channel, as it is now; undefined if it is gone. */
  readonly privateChannel: FoundPrivateChannel | undefined
  /** The requested thread, as it is now; undefined if it was deleted. */
  readonly thread: FoundThread | undefined
  /** The requested audit log entries, as they are now. */
  readonly entries: Entries
  /** The newest message of each channel of the guild that has messages, if the event may change what sessions see. */
  readonly lastMessages: LastMessages
  /** The session's current memberships, last joined first. */
  readonly staysOf: (session: Session) => readonly Stay[]
  readonly onlineCount: (guild: GuildId) => number
  /** The time of the event. */
  readonly now: Timestamp
  /** The sessions of an account whose READY does not include the event. */
  readonly sessionsOf: (account: AccountId) => readonly Session[]
}

/** Entries of one guild's audit log. */
export interface AskedEntries {
  readonly guildId: GuildId
  readonly ids: readonly EntryId[]
}

export type Entries = ReadonlyMap<EntryId, GuildAuditEntry>

/** A private channel, and its newest message. */
export interface FoundPrivateChannel {
  readonly channel: PrivateChannel
  readonly lastMessageId: MessageId | null
}

/** How an event becomes dispatches: the records needed, and the dispatches after the event was applied. */
export interface Telling {
  readonly accounts: readonly AccountId[]
  /** The account whose passkeys are needed; usually none. */
  readonly passkeysOf?: AccountId
  /** The account whose sessions need its new settings. */
  readonly settingsOf?: AccountId
  /** The thread of the event. */
  readonly threadOf?: ChannelId
  /** The private channel of the event. */
  readonly privateChannelOf?: ChannelId
  /** The member whose record is needed. */
  readonly memberOf?: { readonly guildId: GuildId; readonly accountId: AccountId }
  /** The entries with personal parts, which events do not carry. */
  readonly entriesOf?: AskedEntries
  readonly guildSettingsOf?: { readonly accountId: AccountId; readonly forGuild: GuildId | null }
  readonly dispatches: (scene: Scene) => readonly Dispatch[]
}

/** No dispatches. */
export const untold: Telling = { accounts: [], dispatches: () => [] }

export function same(value: object): Body {
  return { per: 'event', value }
}

export function perViewer(valueFor: (viewer: Viewer) => object): Body {
  return { per: 'viewer', valueFor }
}

/** `valueFor` gives an account its own value, or undefined if it gets the common one. */
export function perAccount(value: object, valueFor: (account: AccountId) => object | undefined): Body {
  return { per: 'account', value, valueFor }
}

/** Groups sessions, or what belongs to sessions, by account. */
export function byAccount<Item>(
  items: readonly Item[],
  sessionIn: (item: Item) => Session,
): readonly (readonly [Item, ...Item[]])[] {
  const groups = new Map<AccountId, [Item, ...Item[]]>()
  for (const item of items) {
    const { accountId } = sessionIn(item)
    const group = groups.get(accountId)
    if (group) group.push(item)
    else groups.set(accountId, [item])
  }
  return [...groups.values()]
}
