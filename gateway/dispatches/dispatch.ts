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

/** One thing that is told, to everybody whom it concerns, in as few bodies as there must be. */
export interface Dispatch {
  readonly t: DispatchName
  /** The guild that it is of; null for what concerns the account alone. */
  readonly guildId: GuildId | null
  readonly audience: Audience
  /** Whether a session without thread access hears nothing of it (reference gateway 1.7.1). */
  readonly threadAccessOnly?: boolean
  readonly body: Body
}

/** Who is to hear of it: the sessions of the guild that pass its gates, or these sessions. */
export type Audience =
  | {
      readonly kind: 'guild'
      readonly except?: AccountId
      /** The member that it is about, who hears of it even while passive (reference gateway 2.2). */
      readonly about?: AccountId
      /** Judged once for all members with the same rights. */
      readonly needs?: (guild: Guild, member: PermissionMember) => boolean
      /** Judged for each session by itself, besides `needs`. */
      readonly admits?: (link: Link) => boolean
      readonly mentions?: (member: PermissionMember) => Mention
    }
  | {
      readonly kind: 'sessions'
      readonly sessions: readonly Session[]
      readonly mentions?: (member: PermissionMember) => Mention
    }

/**
 * Whether a message calls somebody. Who is called hears of it even while passive; who is called directly, even where its
 * session ignores such events (reference gateway 2.2).
 */
export type Mention = 'directly' | 'by role' | 'not'

/** `d`: one for all; or one for those with thread access and one for those without; or one for all but some accounts, and theirs. */
export type Body =
  | { readonly per: 'event'; readonly value: object }
  | { readonly per: 'viewer'; readonly valueFor: (viewer: Viewer) => object }
  | { readonly per: 'account'; readonly value: object; readonly valueFor: (account: AccountId) => object | undefined }

/** Where an event is told: what it changed, and what was looked up to tell of it. */
export interface Scene extends Change {
  /** One of the accounts that the telling asked for; one that is gone looks like a deleted one. */
  readonly account: (id: AccountId) => AccountRecord
  /** Those of the account whose passkeys the telling asked for. */
  readonly passkeys: readonly PasskeyRecord[]
  /** What the account wants to hear of the guild that the telling asked for; undefined where nothing is chosen. */
  readonly guildSettings: UserGuildSettingsRecord | undefined
  /** The member that the telling asked for, as it is now; undefined where it is none any more. */
  readonly member: Membership | undefined
  /** The private channel that the telling asked for, as it is now; undefined where it is gone. */
  readonly privateChannel: FoundPrivateChannel | undefined
  /** The thread that the telling asked for, as it is now; undefined where it is gone. */
  readonly thread: FoundThread | undefined
  /** The entries of the audit log that the telling asked for, as they are now. */
  readonly entries: Entries
  /** The newest message of each channel of the guild that has any, where the event may make sessions see others. */
  readonly lastMessages: LastMessages
  /** The session's memberships now, joined last first. */
  readonly staysOf: (session: Session) => readonly Stay[]
  readonly onlineCount: (guild: GuildId) => number
  /** When it happened. */
  readonly now: Timestamp
  /** The sessions of an account that do not have the event in their READY. */
  readonly sessionsOf: (account: AccountId) => readonly Session[]
}

/** Entries of one guild's audit log. */
export interface AskedEntries {
  readonly guildId: GuildId
  readonly ids: readonly EntryId[]
}

export type Entries = ReadonlyMap<EntryId, GuildAuditEntry>

/** A private channel, and the newest message in it. */
export interface FoundPrivateChannel {
  readonly channel: PrivateChannel
  readonly lastMessageId: MessageId | null
}

/** How an event is told: whose records that takes, and what is dispatched once it is taken in. */
export interface Telling {
  readonly accounts: readonly AccountId[]
  /** The account whose passkeys that takes; most take nobody's. */
  readonly passkeysOf?: AccountId
  /** The account whose settings its sessions have to know anew. */
  readonly settingsOf?: AccountId
  /** The thread that it is about. */
  readonly threadOf?: ChannelId
  /** The private channel that it is about. */
  readonly privateChannelOf?: ChannelId
  /** The member whose record that takes. */
  readonly memberOf?: { readonly guildId: GuildId; readonly accountId: AccountId }
  /** The entries that tell of a person by more than its id, which no event brings here. */
  readonly entriesOf?: AskedEntries
  readonly guildSettingsOf?: { readonly accountId: AccountId; readonly forGuild: GuildId | null }
  readonly dispatches: (scene: Scene) => readonly Dispatch[]
}

/** Nobody hears of it. */
export const untold: Telling = { accounts: [], dispatches: () => [] }

export function same(value: object): Body {
  return { per: 'event', value }
}

export function perViewer(valueFor: (viewer: Viewer) => object): Body {
  return { per: 'viewer', valueFor }
}

/** `valueFor` gives an account its own, or undefined where it gets what all get. */
export function perAccount(value: object, valueFor: (account: AccountId) => object | undefined): Body {
  return { per: 'account', value, valueFor }
}

/** Groups sessions, or what belongs to sessions, by their accounts. */
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
