import { channelId, type AccountId, type ChannelId, type GuildId, type MessageId } from '../ids/ids.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { MuteConfig } from '../user-guild-settings/state.js'

/** The kinds of threads (reference gateway 3.4). */
export const threadTypes = { announcement: 10, public: 11, private: 12 } as const

export type ThreadType = (typeof threadTypes)[keyof typeof threadTypes]

/** Minutes without a message after which a thread archives itself (reference gateway 3.4.2). */
export const autoArchiveDurations = [60, 1440, 4320, 10_080] as const

export type AutoArchiveDuration = (typeof autoArchiveDurations)[number]

export const defaultAutoArchiveDuration: AutoArchiveDuration = 4320

/** The one flag of a thread; forum posts alone have it (reference gateway 3.4.2). */
export const pinnedThread = 1 << 1

/** Members of one thread: beyond, 400 MAX_THREAD_MEMBERS (reference gateway 3.4.2). */
export const threadMembers_max = 1000

/** Threads of one guild that are not archived: beyond, 400 MAX_ACTIVE_THREADS (reference gateway 3.4.2). */
export const activeThreads_max = 1000

/** The life of a thread: nothing yet, a thread, archived or not, or gone for good. */
export type ThreadState =
  | { readonly status: 'absent' }
  | ({ readonly status: 'open' } & ThreadWithMembers)
  | { readonly status: 'deleted'; readonly threadId: ChannelId }

/** Where a thread stands: what never changes. */
export interface ThreadPlace {
  /** Also its channel's; that of the message that it was started from, where there is one. */
  readonly threadId: ChannelId
  readonly guildId: GuildId
  readonly parentId: ChannelId
  readonly threadType: ThreadType
}

/** What can be changed of a thread. */
export interface ThreadSettings {
  /** 1-100 characters. */
  readonly name: string
  readonly archived: boolean
  /** Whether moderators alone may write, and bring it back from the archive. */
  readonly locked: boolean
  readonly autoArchiveDuration: AutoArchiveDuration
  /** Seconds between two messages of one member, 0-21600. */
  readonly rateLimitPerUser: number
  /** Whether members who are no moderators may add others; of a private thread alone, else null. */
  readonly invitable: boolean | null
  /** `pinnedThread` or 0. */
  readonly flags: number
  /** Of a post of a forum alone; at most 5. */
  readonly appliedTags: readonly string[]
}

export interface Thread extends ThreadPlace, ThreadSettings {
  readonly ownerId: AccountId
  /** The message of the parent that it was started from; null for a thread of its own. */
  readonly starterId: MessageId | null
  readonly createdAt: Timestamp
  /** When it last came into the archive or out of it; when it was started, where it never did. */
  readonly archivedAt: Timestamp
}

export interface ThreadWithMembers extends Thread {
  /** At most 1000, by their accounts' ids. */
  readonly members: Readonly<Record<string, ThreadMember>>
}

/** What an account is to a thread, and wants to hear of it (reference gateway 3.4.3). */
export interface ThreadMember {
  readonly joinedAt: Timestamp
  readonly flags: number
  readonly muted: boolean
  readonly muteConfig: MuteConfig | null
}

/** The bits of a thread member's flags; the last three are chosen, one at most (reference gateway 3.4.3). */
export const threadMemberFlags = { HAS_INTERACTED: 1, ALL_MESSAGES: 2, ONLY_MENTIONS: 4, NO_MESSAGES: 8 } as const

/** The thread that is started from a message has the message's id (reference gateway 3.4.2). */
export const threadOf = (message: MessageId): ChannelId => channelId(message)

export function memberOf({ members }: ThreadWithMembers, account: AccountId): ThreadMember | undefined {
  return Object.hasOwn(members, account) ? members[account] : undefined
}

export function placeOf({ threadId, guildId, parentId, threadType }: ThreadPlace): ThreadPlace {
  return { threadId, guildId, parentId, threadType }
}
