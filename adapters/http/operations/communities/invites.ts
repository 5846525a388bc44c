import { z } from 'zod'
import { inviteCodeLength, parseInviteCode } from '../../../../domain/text/normalise.ts'
import { acceptInvite } from '../../../../application/communities/invites/accept-invite.ts'
import { createChannelInvite } from '../../../../application/communities/invites/create-channel-invite.ts'
import { deleteInvite } from '../../../../application/communities/invites/delete-invite.ts'
import { getInvite } from '../../../../application/communities/invites/get-invite.ts'
import { listChannelInvites, listGuildInvites } from '../../../../application/communities/invites/list-invites.ts'
import { accounts, anyone } from '../../callers.ts'
import { perUser, perUserAnd } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { channelIdInput, guildIdInput, readBy, withDefault } from '../../schemas/scalars.ts'
import { ofChannel, ofGuild } from '../refusals-of-access.ts'
import { inviteSchema, inviteMetadataSchema } from '../../../../application/wire-objects/communities/invite-objects.ts'

const inviteParams = z.object({ invite_code: readBy(parseInviteCode, inviteCodeLength) })
const inviteList = z.array(inviteMetadataSchema).readonly()

const inviteWishes = z
  .object({
    max_uses: withDefault(z.int().min(0).max(100), 0),
    max_age: withDefault(z.int().min(0).max(604_800), 0),
    unique: withDefault(z.boolean(), false),
    temporary: withDefault(z.boolean(), false),
  })
  .transform(({ max_uses: maxUses, max_age: maxAge, unique, temporary }) => ({ maxUses, maxAge, unique, temporary }))

const createChannelInviteOperation = operation({
  name: 'Create channel invite',
  description: 'Creates an invite to a guild channel, or gives the equivalent existing one.',
  route: 'POST /v1/channels/:channel_id/invites',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('invite:create::channel_id', 'channel_id', { requests: 20, seconds: 60 }),
  params: z.object({ channel_id: channelIdInput }),
  body: inviteWishes,
  replies: { 200: inviteMetadataSchema },
  refuses: [
    'FEATURE_TEMPORARILY_DISABLED',
    'INVALID_CHANNEL_TYPE',
    'MAX_INVITES',
    'MISSING_ACCESS',
    'MISSING_PERMISSIONS',
    'NSFW_CONTENT_AGE_RESTRICTED',
    'RESOURCE_LOCKED',
    'UNKNOWN_CHANNEL',
  ],
  useCase: createChannelInvite,
  handle: ({ caller, params, body }, run) => run(caller, params.channel_id, body),
})

const getInviteOperation = operation({
  name: 'Get invite',
  description: 'The public view of an invite, the same for every caller.',
  route: 'GET /v1/invites/:invite_code',
  callers: anyone(),
  bucket: perUserAnd('invite:read::invite_code', 'invite_code', { requests: 100, seconds: 10 }),
  params: inviteParams,
  replies: { 200: inviteSchema },
  refuses: ['UNKNOWN_CHANNEL', 'UNKNOWN_GUILD', 'UNKNOWN_INVITE'],
  useCase: getInvite,
  handle: ({ caller, params }, run) => run(caller, params.invite_code),
})

const acceptInviteOperation = operation({
  name: 'Accept invite',
  description: 'Adds the caller to the guild or group of an invite.',
  route: 'POST /v1/invites/:invite_code',
  callers: accounts(),
  bucket: perUser('invite:accept', { requests: 10, seconds: 10 }),
  params: inviteParams,
  replies: { 200: inviteSchema },
  refuses: [
    'ACCOUNT_LIMITED',
    'FEATURE_TEMPORARILY_DISABLED',
    'INVALID_CHANNEL_TYPE',
    'INVITES_DISABLED',
    'MAX_GROUP_DMS',
    'MAX_GROUP_DM_RECIPIENTS',
    'MAX_GUILDS',
    'MAX_GUILD_MEMBERS',
    'MISSING_ACCESS',
    'RESOURCE_LOCKED',
    'TEMPORARY_INVITE_REQUIRES_PRESENCE',
    'UNCLAIMED_ACCOUNT_CANNOT_JOIN_GROUP_DMS',
    'UNKNOWN_CHANNEL',
    'UNKNOWN_GUILD',
    'UNKNOWN_INVITE',
    'UNKNOWN_MEMBER',
    'USER_BANNED_FROM_GUILD',
    'USER_IP_BANNED_FROM_GUILD',
  ],
  useCase: acceptInvite,
  handle: ({ caller, params }, run) => run(caller, params.invite_code),
})

const deleteInviteOperation = operation({
  name: 'Delete invite',
  description: 'Deletes an invite.',
  route: 'DELETE /v1/invites/:invite_code',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('invite:delete::invite_code', 'invite_code', { requests: 20, seconds: 10 }),
  params: inviteParams,
  replies: { 204: none },
  refuses: [...ofGuild, 'MISSING_ACCESS', 'UNKNOWN_CHANNEL', 'UNKNOWN_INVITE'],
  useCase: deleteInvite,
  handle: ({ caller, params }, run) => run(caller, params.invite_code),
})

const listChannelInvitesOperation = operation({
  name: 'List channel invites',
  description: 'The invites to a guild channel, or to a group for its owner, newest first.',
  route: 'GET /v1/channels/:channel_id/invites',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('invite:list::channel_id', 'channel_id', { requests: 40, seconds: 10 }),
  params: z.object({ channel_id: channelIdInput }),
  replies: { 200: inviteList },
  refuses: [...ofChannel],
  useCase: listChannelInvites,
  handle: ({ caller, params }, run) => run(caller, params.channel_id),
})

const listGuildInvitesOperation = operation({
  name: 'List guild invites',
  description: 'The invites to all channels of a guild, newest first.',
  route: 'GET /v1/guilds/:guild_id/invites',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('invite:list::guild_id', 'guild_id', { requests: 40, seconds: 10 }),
  params: z.object({ guild_id: guildIdInput }),
  replies: { 200: inviteList },
  refuses: [...ofGuild, 'MISSING_ACCESS'],
  useCase: listGuildInvites,
  handle: ({ caller, params }, run) => run(caller, params.guild_id),
})

/** Invites to guilds and groups. */
export const inviteOperations: readonly Operation[] = [
  createChannelInviteOperation,
  getInviteOperation,
  acceptInviteOperation,
  deleteInviteOperation,
  listChannelInvitesOperation,
  listGuildInvitesOperation,
]
