import { z } from 'zod'
import type { AccountId, ChannelId } from '../../../domain/ids/ids.ts'
import { nothingLast, type ChannelLast } from '../../../domain/messages/channel-last.ts'
import { threadTypes, type Thread, type ThreadMember } from '../../../domain/thread/state.ts'
import { type MemberObject, memberSchema } from '../communities/member-objects.ts'
import { timestampOutput, snowflakeOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

const muteConfigSchema = z
  .object({
    end_time: timestampOutput.nullable().describe('When it ends; null for never.'),
    selected_time_window: z.int().describe('The duration that the person chose, in seconds; -1 for ever.'),
  })
  .nullable()

export const ownThreadMemberSchema = z.object({
  id: snowflakeOutput,
  user_id: snowflakeOutput,
  join_timestamp: timestampOutput,
  flags: z.int().describe('Bits: 1 HAS_INTERACTED, 2 ALL_MESSAGES, 4 ONLY_MENTIONS, 8 NO_MESSAGES.'),
  muted: z.boolean().describe('Whether nothing notifies.'),
  mute_config: muteConfigSchema.describe('How long it is muted; null for ever.'),
})

export type OwnThreadMemberObject = ObjectOf<typeof ownThreadMemberSchema>

export const threadSchema = wireObject('Thread', {
  id: snowflakeOutput,
  type: z.union([z.literal(10), z.literal(11), z.literal(12)]),
  guild_id: snowflakeOutput,
  parent_id: snowflakeOutput.describe('The category, or of a thread its channel.'),
  owner_id: snowflakeOutput.describe('Who owns it.'),
  name: z.string(),
  last_message_id: snowflakeOutput
    .nullable()
    .describe('The newest message; null if there was none. It may be deleted.'),
  last_pin_timestamp: timestampOutput
    .nullable()
    .describe('When a message was last pinned; null for never. It may be unpinned.'),
  rate_limit_per_user: z.int().describe('Slow mode: seconds between two messages of one member; 0 for none.'),
  flags: z.int().describe('Bits: 2 PINNED, in a forum.'),
  thread_metadata: z
    .object({
      archived: z.boolean().describe('Whether nobody has written in the thread for a while, or it was closed.'),
      auto_archive_duration: z.int().meta({ description: 'Minutes: 60, 1440, 4320 or 10080.' }),
      archive_timestamp: timestampOutput,
      locked: z.boolean().describe('Whether only moderators may open it again.'),
      invitable: z.boolean().optional().describe('Whether ordinary members of a private thread may add others.'),
      create_timestamp: timestampOutput,
    })
    .describe('What only threads have.'),
  message_count: z.int().describe('How many messages.'),
  total_message_sent: z.int().describe('How many messages were ever sent in it.'),
  member_count: z.int().meta({ description: 'Stops counting at 50.' }),
  applied_tags: z.array(snowflakeOutput).readonly().optional().describe('Tags of the forum that the post has.'),
  member_ids_preview: z.array(snowflakeOutput).readonly().optional().describe('Some of the members.'),
  member: ownThreadMemberSchema.optional(),
})

export type ThreadObject = ObjectOf<typeof threadSchema>

/** In a guild ready object, a membership names neither its account nor its thread. */
export const threadInReadySchema = threadSchema
  .extend({ member: ownThreadMemberSchema.omit({ id: true, user_id: true }).optional() })
  .meta({ id: 'ThreadInReady' })

export type ThreadInReadyObject = ObjectOf<typeof threadInReadySchema>

export const threadMemberSchema = wireObject('ThreadMember', {
  id: snowflakeOutput,
  user_id: snowflakeOutput,
  join_timestamp: timestampOutput,
  flags: z.int().describe('Bits: 1 HAS_INTERACTED, 2 ALL_MESSAGES, 4 ONLY_MENTIONS, 8 NO_MESSAGES.'),
  muted: z.boolean().optional().describe('Whether nothing notifies.'),
  mute_config: muteConfigSchema.optional().describe('How long it is muted; null for ever.'),
  member: memberSchema.optional(),
})

export type ThreadMemberObject = ObjectOf<typeof threadMemberSchema>

/** The message counts of a thread, which are not in history. */
export interface ThreadTally {
  readonly last: ChannelLast
  /** Messages that exist. */
  readonly message_count: number
  /** Messages ever written, including deleted ones. */
  readonly sent_count: number
}

export const emptyTally: ThreadTally = { last: nothingLast, message_count: 0, sent_count: 0 }

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
export function threadObject({ thread, tally, member, viewer, preview }: ThreadParts): ThreadObject {
  return objectOf(threadSchema, {
    id: thread.threadId,
    type: thread.threadType,
    guild_id: thread.guildId,
    parent_id: thread.parentId,
    owner_id: thread.ownerId,
    name: thread.name,
    last_message_id: tally.last.messageId,
    last_pin_timestamp: tally.last.pinnedAt,
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
  })
}

/** The same in a guild ready object, where the membership names neither its account nor its thread. */
export function threadInReadyObject(parts: ThreadParts): ThreadInReadyObject {
  const { member, ...thread } = threadObject(parts)
  if (!member) return objectOf(threadInReadySchema, thread)
  const { id: _id, user_id: _userId, ...own } = member
  return objectOf(threadInReadySchema, { ...thread, member: own })
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
export function threadMemberObject({ guildMember, ...parts }: ThreadMemberParts): ThreadMemberObject {
  return objectOf(threadMemberSchema, {
    ...membershipMembers(parts),
    ...(guildMember === undefined ? {} : { member: guildMember }),
  })
}

/** The same as the account itself sees it, with its notification settings. */
export function ownThreadMemberObject(parts: Omit<ThreadMemberParts, 'guildMember'>): OwnThreadMemberObject {
  return objectOf(ownThreadMemberSchema, { ...membershipMembers(parts), ...muteOf(parts.member) })
}

function membershipMembers({ threadId, accountId, member }: Omit<ThreadMemberParts, 'guildMember'>) {
  return { id: threadId, user_id: accountId, join_timestamp: member.joinedAt, flags: member.flags }
}

function muteOf({ muted, muteConfig }: ThreadMember) {
  return {
    muted,
    mute_config: muteConfig && { end_time: muteConfig.endTime, selected_time_window: muteConfig.selectedTimeWindow },
  }
}
