import { z } from 'zod'
import type { WantedChannels } from '../../../../application/administration/users/list-user-private-channels.ts'
import { relationshipCategories } from '../../../../application/wire-objects/administration/admin-relationship-object.ts'
import { snowflakeOutput, timestampOutput } from '../outputs.ts'
import { queryInteger } from '../query-inputs.ts'
import { channelIdInput } from '../scalars.ts'
import { adminUser } from './admin-users.ts'

const text = z.string().nullable()
const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()

export const foundUsers = z.object({ users: listOf(adminUser) })

/** The account that another object names. */
const adminResolvedUser = z
  .object({ id: snowflakeOutput, username: z.string(), discriminator: z.string(), global_name: text, avatar: text })
  .meta({ id: 'AdminResolvedUser' })

const adminGuild = z
  .object({
    id: snowflakeOutput,
    name: z.string(),
    features: listOf(z.string()),
    owner_id: snowflakeOutput,
    owner_username: text,
    owner_global_name: text,
    owner_discriminator: text,
    icon: text,
    banner: text,
    member_count: z.int(),
    nsfw_level: z.int(),
    approximate_member_count: z.int().optional(),
    approximate_presence_count: z.int().optional(),
  })
  .meta({ id: 'AdminGuild' })

export const userGuilds = z.object({ guilds: listOf(adminGuild) })

const adminApplication = z
  .object({
    id: snowflakeOutput,
    name: z.string(),
    owner_user_id: snowflakeOutput,
    owner_username: text,
    owner_global_name: text,
    owner_discriminator: text,
    bot_user_id: snowflakeOutput.nullable(),
    bot_username: text,
    bot_global_name: text,
    bot_discriminator: text,
    bot_is_public: z.boolean(),
    bot_require_code_grant: z.boolean(),
    oauth2_redirect_uris: listOf(z.string()),
    has_client_secret: z.boolean(),
    has_bot_token: z.boolean(),
    bot_token_preview: text,
    bot_token_created_at: timestampOutput.nullable(),
    client_secret_created_at: timestampOutput.nullable(),
    version: z.int(),
  })
  .meta({ id: 'AdminApplication' })

export const userApplications = z.object({ applications: listOf(adminApplication) })

const adminRelationship = z
  .object({
    target_user_id: snowflakeOutput,
    category: z.enum(relationshipCategories),
    nickname: text,
    since: timestampOutput.nullable(),
    target: adminResolvedUser.nullable(),
  })
  .meta({ id: 'AdminRelationship' })

export const userRelationships = z.object({
  friends: listOf(adminRelationship),
  incoming_requests: listOf(adminRelationship),
  outgoing_requests: listOf(adminRelationship),
  blocked: listOf(adminRelationship),
})

const adminPrivateChannel = z
  .object({
    channel_id: snowflakeOutput,
    channel_type: z.int().nullable(),
    channel_nsfw: z.boolean().nullable(),
    guild_nsfw_level: z.int().nullable(),
    recipient_ids: listOf(snowflakeOutput),
    recipients: listOf(adminResolvedUser),
    last_message_id: snowflakeOutput.nullable(),
    is_open: z.boolean(),
    name: text,
    icon: text,
    owner_id: snowflakeOutput.nullable(),
  })
  .meta({ id: 'AdminDirectMessageChannel' })

export const userPrivateChannels = z.object({ channels: listOf(adminPrivateChannel) })

const adminSession = z
  .object({
    session_id_hash: z.string(),
    created_at: timestampOutput,
    approx_last_used_at: timestampOutput,
    client_ip: z.string(),
    client_ip_reverse: text,
    client_os: text,
    client_platform: text,
    client_location: text,
    deleted_at: timestampOutput.nullable(),
  })
  .meta({ id: 'AdminUserSession' })

export const userSessions = z.object({ sessions: listOf(adminSession) })

const channelsPage_max = 200
const channelsPageDefault = 50

/** The query of List user direct message channels: both cursors are refused, for groups too. */
export const userPrivateChannelsPage = z
  .object({
    type: z.enum(['dm', 'group_dm']).default('dm'),
    before: channelIdInput.optional(),
    after: channelIdInput.optional(),
    limit: queryInteger({ min: 1, max: channelsPage_max }, channelsPageDefault),
  })
  .superRefine(({ before, after }, context) => {
    if (before === undefined || after === undefined) return
    const code = 'CANNOT_SPECIFY_BOTH_BEFORE_AND_AFTER'
    context.addIssue({ code: 'custom', path: ['before'], message: code, params: { code } })
  })
  .transform(({ type, before, after, limit }): WantedChannels => {
    if (type === 'group_dm') return { type }
    const page = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }), limit }
    return { type, page }
  })
