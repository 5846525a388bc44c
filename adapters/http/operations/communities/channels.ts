import { z } from 'zod'
import {
  createGuildChannel,
  listGuildChannels,
  reorderGuildChannels,
} from '../../../../application/communities/channels/guild-channels.ts'
import { accounts } from '../../callers.ts'
import { perUserAnd } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { channelMoves, channelWishes } from '../../schemas/communities/channel-inputs.ts'
import { guildIdInput } from '../../schemas/scalars.ts'
import { ofGuild } from '../refusals-of-access.ts'
import { channelSchema } from '../../../../application/wire-objects/communities/channel-objects.ts'

/** The channels of a guild. */

const guildParams = z.object({ guild_id: guildIdInput })

const listGuildChannelsOperation = operation({
  name: 'List guild channels',
  description: 'The channels that the caller can view, in channel order.',
  route: 'GET /v1/guilds/:guild_id/channels',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:channels:list::guild_id', 'guild_id', { requests: 60, seconds: 10 }),
  params: guildParams,
  replies: { 200: z.array(channelSchema).readonly() },
  refuses: ['MISSING_ACCESS', 'MISSING_PERMISSIONS', 'UNKNOWN_GUILD'],
  useCase: listGuildChannels,
  handle: ({ caller, params }, run) => run(caller, params.guild_id),
})

const createGuildChannelOperation = operation({
  name: 'Create guild channel',
  description: 'Creates a channel.',
  route: 'POST /v1/guilds/:guild_id/channels',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:channel:create::guild_id', 'guild_id', { requests: 10, seconds: 60 }),
  params: guildParams,
  body: channelWishes,
  replies: { 200: channelSchema },
  refuses: [...ofGuild, 'MAX_CATEGORY_CHANNELS', 'MAX_GUILD_CHANNELS', 'MISSING_ACCESS', 'UNKNOWN_CHANNEL'],
  useCase: createGuildChannel,
  handle: ({ caller, params, body }, run) => run(caller, params.guild_id, body),
})

const reorderGuildChannelsOperation = operation({
  name: 'Modify guild channel positions',
  description: 'Reorders channels, and moves them between categories.',
  route: 'PATCH /v1/guilds/:guild_id/channels',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:channel:positions::guild_id', 'guild_id', { requests: 30, seconds: 10 }),
  params: guildParams,
  body: channelMoves,
  keepsNoText: true,
  replies: { 204: none },
  refuses: [...ofGuild, 'MAX_CATEGORY_CHANNELS', 'MISSING_ACCESS'],
  useCase: reorderGuildChannels,
  handle: ({ caller, params, body }, run) => run(caller, params.guild_id, body),
})

/** The channels of a guild. */
export const guildChannelOperations: readonly Operation[] = [
  listGuildChannelsOperation,
  createGuildChannelOperation,
  reorderGuildChannelsOperation,
]
