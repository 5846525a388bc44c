import { z } from 'zod'
import { accounts } from '../../callers.js'
import { perUserAnd } from '../../bucket.js'
import { none, operation } from '../../operation.js'
import { channelMoves, channelWishes } from '../../schemas/communities/channel-inputs.js'
import { channel } from '../../schemas/communities/channels.js'
import { guildIdInput } from '../../schemas/scalars.js'
import { ofGuild } from '../refusals-of-places.js'

/** The channels of a guild (reference gateway 5.2). */

const guildParams = z.object({ guild_id: guildIdInput })

export const listGuildChannelsOperation = operation({
  name: 'List guild channels',
  route: 'GET /v1/guilds/:guild_id/channels',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:channels:list::guild_id', 'guild_id', { requests: 60, seconds: 10 }),
  params: guildParams,
  query: none,
  body: none,
  replies: { 200: z.array(channel).readonly() },
  refuses: ['MISSING_ACCESS', 'MISSING_PERMISSIONS', 'UNKNOWN_GUILD'],
  handle: ({ caller, params }, { channels }) => channels.listOfGuild(caller, params.guild_id),
})

export const createGuildChannelOperation = operation({
  name: 'Create guild channel',
  route: 'POST /v1/guilds/:guild_id/channels',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:channel:create::guild_id', 'guild_id', { requests: 10, seconds: 60 }),
  params: guildParams,
  query: none,
  body: channelWishes,
  replies: { 200: channel },
  refuses: [...ofGuild, 'MAX_CATEGORY_CHANNELS', 'MAX_GUILD_CHANNELS', 'MISSING_ACCESS', 'UNKNOWN_CHANNEL'],
  handle: ({ caller, params, body }, { channels }) => channels.createInGuild(caller, params.guild_id, body),
})

export const reorderGuildChannelsOperation = operation({
  name: 'Modify guild channel positions',
  route: 'PATCH /v1/guilds/:guild_id/channels',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:channel:positions::guild_id', 'guild_id', { requests: 30, seconds: 10 }),
  params: guildParams,
  query: none,
  body: channelMoves,
  keepsNoText: true,
  replies: { 204: none },
  refuses: [...ofGuild, 'MAX_CATEGORY_CHANNELS', 'MISSING_ACCESS'],
  handle: ({ caller, params, body }, { channels }) => channels.reorderInGuild(caller, params.guild_id, body),
})
