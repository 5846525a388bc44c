import { z } from 'zod'
import { accounts } from '../../callers.js'
import { perUserAnd } from '../../bucket.js'
import { none, operation } from '../../operation.js'
import { ban, banWishes } from '../../schemas/communities/bans.js'
import { accountIdInput, guildIdInput } from '../../schemas/scalars.js'
import { ofGuild } from '../refusals-of-places.js'

const banParams = z.object({ guild_id: guildIdInput, user_id: accountIdInput })
const removing = perUserAnd('guild:member:remove::guild_id', 'guild_id', { requests: 20, seconds: 10 })

export const listBansOperation = operation({
  name: 'List guild bans',
  route: 'GET /v1/guilds/:guild_id/bans',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:members::guild_id', 'guild_id', { requests: 40, seconds: 10 }),
  params: z.object({ guild_id: guildIdInput }),
  query: none,
  body: none,
  replies: { 200: z.array(ban).readonly() },
  refuses: [...ofGuild, 'MISSING_ACCESS'],
  handle: ({ caller, params }, { bans }) => bans.list(caller, params.guild_id),
})

export const banMemberOperation = operation({
  name: 'Create guild ban',
  route: 'PUT /v1/guilds/:guild_id/bans/:user_id',
  callers: accounts({ bots: true }),
  bucket: removing,
  params: banParams,
  query: none,
  body: banWishes,
  replies: { 204: none },
  refuses: [...ofGuild, 'MISSING_ACCESS', 'RESOURCE_LOCKED', 'UNKNOWN_MEMBER', 'UNKNOWN_USER'],
  handle: ({ caller, params, body }, { bans }) => bans.ban(caller, params.guild_id, params.user_id, body),
})

export const unbanMemberOperation = operation({
  name: 'Remove guild ban',
  route: 'DELETE /v1/guilds/:guild_id/bans/:user_id',
  callers: accounts({ bots: true }),
  bucket: removing,
  params: banParams,
  query: none,
  body: none,
  replies: { 204: none },
  refuses: [...ofGuild, 'MISSING_ACCESS'],
  handle: ({ caller, params }, { bans }) => bans.unban(caller, params.guild_id, params.user_id),
})
