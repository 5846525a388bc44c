import { z } from 'zod'
import { sql } from '../../application/ports/database.js'
import type { ThreadMembership, ThreadRecord } from '../../application/ports/queries/thread-queries.js'
import { messageId, type MessageId } from '../../domain/ids/ids.js'
import { snowflake } from '../../domain/ids/snowflake.js'
import type { AutoArchiveDuration, ThreadType } from '../../domain/thread/state.js'
import type { MuteConfig } from '../../domain/user-guild-settings/state.js'
import { accountIdColumn, channelIdColumn, guildIdColumn, instantColumn } from '../columns.js'

/** What the projector wrote is branded, not made anew. */
const isNumber = (value: unknown): boolean => typeof value === 'number'

/** What `threadColumns` selects. */
export const threadRow = z
  .object({
    id: channelIdColumn,
    guild_id: guildIdColumn,
    parent_id: channelIdColumn,
    type: z.custom<ThreadType>(isNumber),
    owner_id: accountIdColumn,
    name: z.string(),
    auto_archive_duration: z.custom<AutoArchiveDuration>(isNumber),
    rate_limit_per_user: z.int(),
    invitable: z.boolean().nullable(),
    flags: z.int(),
    applied_tags: z.array(z.string()),
    archived: z.boolean(),
    archived_at: instantColumn,
    locked: z.boolean(),
    starter_id: z.string().nullable(),
    created_at: instantColumn,
    member_count: z.int(),
  })
  .transform((row): ThreadRecord => ({
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

/** Of threads.threads as t. */
export const threadColumns = sql.fragment`
  t.id, t.guild_id, t.parent_id, t.type, t.owner_id, t.name, t.auto_archive_duration, t.rate_limit_per_user, t.invitable, t.flags,
  t.applied_tags, t.archived, t.archived_at, t.locked, t.starter_id, t.created_at,
  (select count(*)::int4 from threads.members c where c.thread_id = t.id) as member_count`

/** What `membershipColumns` selects. */
export const membershipRow = z
  .object({
    thread_id: channelIdColumn,
    account_id: accountIdColumn,
    joined_at: instantColumn,
    flags: z.int(),
    muted: z.boolean(),
    mute_config: z.custom<MuteConfig | null>((value) => typeof value === 'object'),
  })
  .transform((row): ThreadMembership => ({
    threadId: row.thread_id,
    accountId: row.account_id,
    joinedAt: row.joined_at,
    flags: row.flags,
    muted: row.muted,
    muteConfig: row.mute_config,
  }))

/** Of threads.members as m. */
export const membershipColumns = sql.fragment`m.thread_id, m.account_id, m.joined_at, m.flags, m.muted, m.mute_config`

function starterOf(id: string): MessageId {
  return messageId(snowflake(id))
}
