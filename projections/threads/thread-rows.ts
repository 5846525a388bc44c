import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type { ThreadMembership, ThreadRecord } from '../../application/ports/queries/thread-queries.ts'
import { messageId, type AccountId, type ChannelId, type GuildId, type MessageId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { AutoArchiveDuration, ThreadType } from '../../domain/thread/state.ts'
import type { MuteConfig } from '../../domain/user-guild-settings/state.ts'

interface ThreadColumns {
  readonly id: ChannelId
  readonly guild_id: GuildId
  readonly parent_id: ChannelId
  readonly type: ThreadType
  readonly owner_id: AccountId
  readonly name: string
  readonly auto_archive_duration: AutoArchiveDuration
  readonly rate_limit_per_user: number
  readonly invitable: boolean | null
  readonly flags: number
  readonly applied_tags: readonly string[]
  readonly archived: boolean
  readonly archived_at: Timestamp
  readonly locked: boolean
  readonly starter_id: string | null
  readonly created_at: Timestamp
  readonly member_count: number
}

/** Reads the result of `threadColumns`. */
export const threadRow = rowOf((row: ThreadColumns): ThreadRecord => ({
  threadId: row.id,
  guildId: row.guild_id,
  parentId: row.parent_id,
  threadType: row.type,
  ownerId: row.owner_id,
  name: row.name,
  autoArchiveDuration: row.auto_archive_duration,
  rateLimitPerUser: row.rate_limit_per_user,
  invitable: row.invitable,
  flags: row.flags,
  appliedTags: row.applied_tags,
  archived: row.archived,
  archivedAt: row.archived_at,
  locked: row.locked,
  starterId: row.starter_id === null ? null : starterOf(row.starter_id),
  createdAt: row.created_at,
  memberCount: row.member_count,
}))

/** For threads.threads as t. */
export const threadColumns = sql.fragment`
  t.id, t.guild_id, t.parent_id, t.type, t.owner_id, t.name, t.auto_archive_duration, t.rate_limit_per_user, t.invitable, t.flags,
  t.applied_tags, t.archived, t.archived_at, t.locked, t.starter_id, t.created_at,
  (select count(*)::int4 from threads.members c where c.thread_id = t.id) as member_count`

interface MembershipColumns {
  readonly thread_id: ChannelId
  readonly account_id: AccountId
  readonly joined_at: Timestamp
  readonly flags: number
  readonly muted: boolean
  readonly mute_config: MuteConfig | null
}

/** Reads the result of `membershipColumns`. */
export const membershipRow = rowOf((row: MembershipColumns): ThreadMembership => ({
  threadId: row.thread_id,
  accountId: row.account_id,
  joinedAt: row.joined_at,
  flags: row.flags,
  muted: row.muted,
  muteConfig: row.mute_config,
}))

/** For threads.members as m. */
export const membershipColumns = sql.fragment`m.thread_id, m.account_id, m.joined_at, m.flags, m.muted, m.mute_config`

function starterOf(id: string): MessageId {
  return messageId(snowflake(id))
}
