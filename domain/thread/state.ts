import { channelId, type AccountId, type ChannelId, type GuildId, type MessageId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { MuteConfig } from '../user-guild-settings/state.ts'

/** The kinds of threads, by number. */
export const threadTypes = { announcement: 10, public: 11, private: 12 } as const

export type ThreadType = (typeof threadTypes)[keyof typeof threadTypes]

/** After how many minutes without a message a thread is archived. */
export const autoArchiveDurations = [60, 1440, 4320, 10_080] as const

export type AutoArchiveDuration = (typeof autoArchiveDurations)[number]

export const defaultAutoArchiveDuration: AutoArchiveDuration = 4320

/** The only flag of a thread, which only forum posts have. */
export const pinnedThread = 1 << 1

/** The maximum number of a thread's members: one more is MAX_THREAD_MEMBERS. */
export const threadMembers_max = 1000

/** The maximum number of a guild's active threads: one more is MAX_ACTIVE_THREADS. */
export const activeThreads_max = 1000

/** The life of a thread: absent, open (archived or not), or deleted for good. */
export type ThreadState =
  | { readonly status: 'absent' }
  | ({ readonly status: 'open' } & ThreadWithMembers)
  | { readonly status: 'deleted'; readonly threadId: ChannelId }

/** The constant part of a thread. */
export interface ThreadPlace {
  /** Also the id of its channel and, if it was started from a message, of that message. */
  readonly threadId: ChannelId
  readonly guildId: GuildId
  readonly parentId: ChannelId
  readonly threadType: ThreadType
}

/** The settings of a thread, which can be changed. */
export interface ThreadSettings {
  /** 1-100 characters. */
  readonly name: string
  readonly archived: boolean
  /** Whether only moderators can write in it and unarchive it. */
  readonly locked: boolean
  readonly autoArchiveDuration: AutoArchiveDuration
  /** Seconds between two messages of one member, 0-21600. */
  readonly rateLimitPerUser: number
  /** Whether members who are not moderators may add others; null unless the thread is private. */
  readonly invitable: boolean | null
  /** `pinnedThread` or 0. */
  readonly flags: number
  /** Only for a forum post; at most 5. */
  readonly appliedTags: readonly string[]
}

export interface Thread extends ThreadPlace, ThreadSettings {
  readonly ownerId: AccountId
  /** The message in the parent channel that it was started from; null if there is none. */
  readonly starterId: MessageId | null
  readonly createdAt: Timestamp
  /** When it was last archived or unarchived; when it was started, if it never was. */
  readonly archivedAt: Timestamp
}

export interface ThreadWithMembers extends Thread {
  /** At most 1000, by account id. */
  readonly members: Readonly<Record<string, ThreadMember>>
}

/** An account's membership in a thread, with its notification settings. */
export interface ThreadMember {
  readonly joinedAt: Timestamp
  readonly flags: number
  readonly muted: boolean
  readonly muteConfig: MuteConfig | null
}

/** The bits of a thread member's flags; the member chooses at most one of the last three. */
export const threadMemberFlags = { HAS_INTERACTED: 1, ALL_MESSAGES: 2, ONLY_MENTIONS: 4, NO_MESSAGES: 8 } as const

/** A thread started from a message has the message's id. */
export const threadOf = (message: MessageId): ChannelId => channelId(message)

export function memberOf({ members }: ThreadWithMembers, account: AccountId): ThreadMember | undefined {
  return Object.hasOwn(members, account) ? members[account] : undefined
}

export function placeOf({ threadId, guildId, parentId, threadType }: ThreadPlace): ThreadPlace {
  return { threadId, guildId, parentId, threadType }
}
