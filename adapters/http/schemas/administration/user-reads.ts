import { z } from 'zod'
import type { WantedChannels } from '../../../../application/administration/users/list-user-private-channels.ts'
import { relationshipCategories } from '../../../../application/wire-objects/administration/admin-relationship-object.ts'
import { queryInteger } from '../query-inputs.ts'
import { channelIdInput } from '../scalars.ts'
import { adminUser } from './admin-users.ts'
import { snowflakeOutput, timestampOutput } from '../../../../application/wire-objects/scalars.ts'

const text = z.string().nullable()
const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()

export const foundUsers = z.object({ users: listOf(adminUser) })

/** The account that another object names. */
const adminResolvedUser = z
  .object({
    id: snowflakeOutput,
    username: z.string(),
    discriminator: z.string().describe('Four digits, with leading zeros.'),
    global_name: text,
    avatar: text.describe('The hash of the image; it begins with a_ if the image moves. Null if there is none.'),
  })
  .meta({ id: 'AdminResolvedUser' })

const adminGuild = z
  .object({
    id: snowflakeOutput,
    name: z.string(),
    features: listOf(z.string()).describe('Names of the registry of guild features.'),
    owner_id: snowflakeOutput.describe('Who owns it.'),
    owner_username: text,
    owner_global_name: text,
    owner_discriminator: text,
    icon: text.describe('The hash of the image; it begins with a_ if the image moves. Null if there is none.'),
    banner: text.describe('The hash of the image; it begins with a_ if the image moves. Null if there is none.'),
    member_count: z.int().describe('All members.'),
    nsfw_level: z.int().describe('0 for all, 3 for adults only. Follows from nsfw.'),
    approximate_member_count: z
      .int()
      .optional()
      .describe('Present if the request asked for counts; 0 if none is at hand.'),
    approximate_presence_count: z
      .int()
      .optional()
      .describe('Members that are online. Present if the request asked for counts; 0 if none is at hand.'),
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
    bot_is_public: z.boolean().describe('Whether everybody may add the bot, not its owner alone.'),
    bot_require_code_grant: z.boolean().describe('Whether the bot is added only by the full OAuth2 grant.'),
    oauth2_redirect_uris: listOf(z.string()),
    has_client_secret: z.boolean().describe('Whether it has a secret; it is never shown.'),
    has_bot_token: z.boolean().describe('Whether its bot has a token; it is never shown.'),
    bot_token_preview: text,
    bot_token_created_at: timestampOutput.nullable(),
    client_secret_created_at: timestampOutput.nullable(),
    version: z.int().describe('Rises with each change.'),
  })
  .meta({ id: 'AdminApplication' })

export const userApplications = z.object({ applications: listOf(adminApplication) })

const adminRelationship = z
  .object({
    target_user_id: snowflakeOutput,
    category: z.enum(relationshipCategories),
    nickname: text.describe('What the caller calls the friend; null or empty for nothing.'),
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
    channel_nsfw: z.boolean().nullable().describe('Null: channels without a guild are not marked.'),
    guild_nsfw_level: z.int().nullable(),
    recipient_ids: listOf(snowflakeOutput),
    recipients: listOf(adminResolvedUser).describe('The others in it.'),
    last_message_id: snowflakeOutput
      .nullable()
      .describe('The newest message; null if there was none. It may be deleted.'),
    is_open: z.boolean().describe('Whether the account has it in its list.'),
    name: text,
    icon: text.describe('The hash of the image; it begins with a_ if the image moves. Null if there is none.'),
    owner_id: snowflakeOutput.nullable().describe('Who owns it.'),
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
