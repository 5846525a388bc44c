import type { AccountId, ChannelId, MessageId } from '../../../domain/ids/ids.js'
import { threadTypes, type Thread, type ThreadMember } from '../../../domain/thread/state.js'
import type { MemberObject } from '../communities/member-objects.js'

/** What is counted of the messages in a thread, since history does not hold them. */
export interface ThreadTally {
  readonly lastMessageId: MessageId | null
  /** Those that are there. */
  readonly message_count: number
  /** Those that were ever written. */
  readonly sent_count: number
}

export const emptyTally: ThreadTally = { lastMessageId: null, message_count: 0, sent_count: 0 }

/** What a thread object is made of. */
export interface ThreadParts {
  readonly thread: Thread & { readonly memberCount: number }
  readonly tally: ThreadTally
  /** The viewer's own membership; undefined where there is none. */
  readonly member?: ThreadMember | undefined
  /** Whose that is; left out only where there is none. */
  readonly viewer?: AccountId | undefined
  /** The first members, over HTTP alone. */
  readonly preview?: readonly AccountId[] | undefined
}

/** What `member_count` ends at (reference gateway 3.4.2). */
const countedMembers_max = 50

/** The thread object (reference gateway 3.4.2). */
export function threadObject({ thread, tally, member, viewer, preview }: ThreadParts) {
  return {
    id: thread.threadId,
    type: thread.threadType,
    guild_id: thread.guildId,
    parent_id: thread.parentId,
    owner_id: thread.ownerId,
    name: thread.name,
    last_message_id: tally.lastMessageId,
    last_pin_timestamp: null,
    rate_limit_per_user: thread.rateLimitPerUser,
    flags: thread.flags,
    thread_metadata: {
      archived: thread.archived,
      auto_archive_duration: thread.autoArchiveDuration,
      archive_timestamp: thread.archivedAt,
      locked: thread.locked,
      ...(thread.threadType === threadTypes.private ? { invitable: thread.invitable ?? true } : {}),
      create_timestamp: thread.createdAt,
    },
    message_count: tally.message_count,
    total_message_sent: tally.sent_count,
    member_count: Math.min(thread.memberCount, countedMembers_max),
    ...(thread.appliedTags.length === 0 ? {} : { applied_tags: thread.appliedTags }),
    ...(preview === undefined ? {} : { member_ids_preview: preview }),
    ...(member === undefined || viewer === undefined
      ? {}
      : { member: ownThreadMemberObject({ threadId: thread.threadId, accountId: viewer, member }) }),
  }
}

export type ThreadObject = ReturnType<typeof threadObject>

/** The same as it stands in a guild ready object, where the membership says neither whose nor of what it is (3.4.3). */
export function threadInReadyObject(parts: ThreadParts) {
  const { member, ...thread } = threadObject(parts)
  if (!member) return thread
  const { id: _id, user_id: _userId, ...own } = member
  return { ...thread, member: own }
}

/** Whose membership of what a thread member object tells of. */
interface ThreadMemberParts {
  readonly threadId: ChannelId
  readonly accountId: AccountId
  readonly member: ThreadMember
  /** The guild member, where it is asked for. */
  readonly guildMember?: MemberObject | undefined
}

/** The thread member object as everybody sees it (reference gateway 3.4.3). */
export function threadMemberObject({ threadId, accountId, member, guildMember }: ThreadMemberParts) {
  return {
    id: threadId,
    user_id: accountId,
    join_timestamp: member.joinedAt,
    flags: member.flags,
    ...(guildMember === undefined ? {} : { member: guildMember }),
  }
}

/** The same as the account itself sees it: with what it wants to hear. */
export function ownThreadMemberObject(parts: Omit<ThreadMemberParts, 'guildMember'>) {
  return { ...threadMemberObject(parts), ...muteOf(parts.member) }
}

function muteOf({ muted, muteConfig }: ThreadMember) {
  return {
    muted,
    mute_config: muteConfig && { end_time: muteConfig.endTime, selected_time_window: muteConfig.selectedTimeWindow },
  }
}
