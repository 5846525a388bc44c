import type { AccountId, ChannelId, MessageId } from '../../../domain/ids/ids.ts'
import { threadTypes, type Thread, type ThreadMember } from '../../../domain/thread/state.ts'
import type { MemberObject } from '../communities/member-objects.ts'

/** The message counts of a thread, which are not in history. */
export interface ThreadTally {
  readonly lastMessageId: MessageId | null
  /** Messages that exist. */
  readonly message_count: number
  /** Messages ever written, including deleted ones. */
  readonly sent_count: number
}

export const emptyTally: ThreadTally = { lastMessageId: null, message_count: 0, sent_count: 0 }

/** The parts of a thread object. */
export interface ThreadParts {
  readonly thread: Thread & { readonly memberCount: number }
  readonly tally: ThreadTally
  /** The viewer's own membership; undefined for none. */
  readonly member?: ThreadMember | undefined
  /** The account of that membership; left out without one. */
  readonly viewer?: AccountId | undefined
  /** The first members, only over HTTP. */
  readonly preview?: readonly AccountId[] | undefined
}

/** The highest `member_count` that is shown: beyond it members are not counted. */
const countedMembers_max = 50

/** A thread as a viewer sees it. */
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

/** The same in a guild ready object, where the membership names neither its account nor its thread. */
export function threadInReadyObject(parts: ThreadParts) {
  const { member, ...thread } = threadObject(parts)
  if (!member) return thread
  const { id: _id, user_id: _userId, ...own } = member
  return { ...thread, member: own }
}

/** The thread, account and membership of a thread member object. */
interface ThreadMemberParts {
  readonly threadId: ChannelId
  readonly accountId: AccountId
  readonly member: ThreadMember
  /** The guild member, if requested. */
  readonly guildMember?: MemberObject | undefined
}

/** A member of a thread as everybody sees it. */
export function threadMemberObject({ threadId, accountId, member, guildMember }: ThreadMemberParts) {
  return {
    id: threadId,
    user_id: accountId,
    join_timestamp: member.joinedAt,
    flags: member.flags,
    ...(guildMember === undefined ? {} : { member: guildMember }),
  }
}

/** The same as the account itself sees it, with its notification settings. */
export function ownThreadMemberObject(parts: Omit<ThreadMemberParts, 'guildMember'>) {
  return { ...threadMemberObject(parts), ...muteOf(parts.member) }
}

function muteOf({ muted, muteConfig }: ThreadMember) {
  return {
    muted,
    mute_config: muteConfig && { end_time: muteConfig.endTime, selected_time_window: muteConfig.selectedTimeWindow },
  }
}
