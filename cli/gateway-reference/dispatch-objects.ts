import { z } from 'zod'
import { snowflakeOutput } from '../../application/wire-objects/scalars.ts'
import { channelSchema } from '../../application/wire-objects/communities/channel-objects.ts'
import { inviteMetadataSchema } from '../../application/wire-objects/communities/invite-objects.ts'
import { memberSchema } from '../../application/wire-objects/communities/member-objects.ts'
import { messageSchema } from '../../application/wire-objects/conversations/message-objects.ts'
import { privateChannelSchema } from '../../application/wire-objects/conversations/private-channel-objects.ts'
import { readStateSchema } from '../../application/wire-objects/conversations/read-state-objects.ts'
import { relationshipSchema } from '../../application/wire-objects/conversations/relationship-objects.ts'
import {
  ownThreadMemberSchema,
  threadSchema,
  threadMemberSchema,
} from '../../application/wire-objects/conversations/thread-objects.ts'
import { userGuildSettingsSchema } from '../../application/wire-objects/identity/user-guild-settings-object.ts'
import { userSettingsSchema } from '../../application/wire-objects/identity/user-settings-object.ts'
import { privateUserSchema, partialUserSchema } from '../../application/wire-objects/identity/user-objects.ts'
import { passkeySchema } from '../../application/wire-objects/identity/passkey-object.ts'
import { presenceSchema } from '../../application/wire-objects/identity/presence-object.ts'
import {
  unavailableGuildSchema,
  guildInReadySchema,
} from '../../application/wire-objects/communities/guild-ready-object.ts'

// The objects of dispatches that no answer over HTTP has.

/** A session of the account, for its other sessions. */
export const sessionEntry = z
  .object({
    session_id: z.string().meta({ description: '`all` for the first entry, which sums up the others.' }),
    status: z.enum(['online', 'idle', 'dnd', 'invisible']),
    afk: z.boolean(),
    mobile: z.boolean(),
  })
  .meta({ id: 'GatewaySession' })

export const createdInvite = inviteMetadataSchema.extend({
  channel_id: snowflakeOutput,
  guild_id: snowflakeOutput.optional().meta({ description: 'Absent for an invite to a group.' }),
})
export const guildMember = z.object({ ...memberSchema.shape, guild_id: snowflakeOutput })
export const channelMember = channelSchema.partial({ permission_overwrites: true })

const sharing = z.object({
  friend_shares_voice_activity: z
    .boolean()
    .optional()
    .describe('Whether the friend shows in which voice channel they are.'),
})

/** What a client knows once its session has begun. */
export const ready = z.object({
  session_id: z.string().meta({ description: 'For Resume.' }),
  version: z.literal(1),
  user: privateUserSchema,
  guilds: z
    .array(z.union([guildInReadySchema.meta({ id: 'GuildInReady' }), unavailableGuildSchema]))
    .meta({ description: 'Empty for a bot: each guild follows as a GUILD_CREATE.' }),
  private_channels: z.array(privateChannelSchema),
  relationships: z.array(relationshipSchema.partial({ user: true }).extend(sharing.shape)),
  presences: z.array(presenceSchema),
  users: z.array(partialUserSchema),
  sessions: z.array(sessionEntry),
  read_states: z.array(readStateSchema).meta({ description: 'Empty for a bot.' }),
  user_settings: userSettingsSchema.nullable().meta({ description: 'Null for a bot.' }),
  user_guild_settings: z.array(userGuildSettingsSchema),
  notes: z.record(z.string(), z.string()).meta({ description: 'By the ids of the accounts that they are about.' }),
  pinned_dms: z.array(z.never()),
  favorite_memes: z.array(z.never()),
  webauthn_credentials: z.array(passkeySchema),
  rtc_regions: z.array(z.object({ id: z.string(), name: z.string(), emoji: z.string() })),
  country_code: z.string().describe('Two letters of ISO 3166. Prices are not shown by country.'),
  latitude: z.string().optional(),
  longitude: z.string().optional(),
  auth_session_id_hash: z.string().optional().meta({ description: 'Absent for a bot.' }),
  shard: z.tuple([z.int(), z.int()]).optional(),
  application: z
    .object({ id: snowflakeOutput, flags: z.literal(0).describe('Always 0.') })
    .optional()
    .meta({ description: 'Of a bot: its application.' }),
  resume_gateway_url: z.string().optional().meta({ description: 'Where the session is resumed: the Gateway as ever.' }),
})

const listGroup = z.object({
  id: z.string().describe('A hoisted role, `online` or `offline`.'),
  count: z.int().describe('How many members stand in it.'),
})

/** Rows of a list of members. */
export const memberListUpdate = z.object({
  guild_id: snowflakeOutput,
  id: z.string().describe('The list: the id of the channel.'),
  channel_id: snowflakeOutput,
  member_count: z.int().describe('How many members see the channel.'),
  online_count: z.int().describe('How many of them are online.'),
  groups: z
    .array(listGroup)
    .describe('In the order of the list, without empty ones. `offline` is left out among more than 1,000 members.'),
  ops: z.array(
    z.object({
      op: z.literal('SYNC'),
      range: z.tuple([z.int(), z.int()]).describe('The first and the last row, as they were asked for.'),
      items: z
        .array(
          z.union([
            z.object({ group: listGroup }),
            z.object({
              member: memberSchema.extend({
                presence: presenceSchema.pick({ status: true, mobile: true, afk: true, custom_status: true }),
              }),
            }),
          ]),
        )
        .describe('What stands in these rows now, as far as the list goes.'),
    }),
  ),
})

export const counts = z.object({
  guild_id: snowflakeOutput,
  member_count: z.int().describe('All members.'),
  online_count: z.int().describe('Members that are online.'),
})
export const dispatchedMessage = messageSchema.extend({
  guild_id: snowflakeOutput.optional(),
  member: memberSchema.omit({ user: true }).optional(),
  channel_type: z.int().optional(),
})
export const dispatchedChannel = z.union([channelSchema, privateChannelSchema])
export const threadGone = threadSchema.pick({ id: true, guild_id: true, parent_id: true, type: true })
export const threadMembers = z.object({
  id: snowflakeOutput,
  guild_id: snowflakeOutput,
  member_count: z.int().describe('All members.'),
  added_members: z.array(threadMemberSchema.extend({ presence: presenceSchema.nullable().optional() })).optional(),
  removed_member_ids: z.array(snowflakeOutput).optional(),
})
export const ownThreadMembership = ownThreadMemberSchema.extend({ guild_id: snowflakeOutput })
