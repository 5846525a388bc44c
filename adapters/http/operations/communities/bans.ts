import { z } from 'zod'
import { banMember, unbanMember } from '../../../../application/communities/bans/ban-member.ts'
import { listBans, readBan } from '../../../../application/communities/bans/list-bans.ts'
import { accounts } from '../../callers.ts'
import { perUserAnd } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { ban, banWishes } from '../../schemas/communities/bans.ts'
import { accountIdInput, guildIdInput } from '../../schemas/scalars.ts'
import { ofGuild } from '../refusals-of-access.ts'

const banParams = z.object({ guild_id: guildIdInput, user_id: accountIdInput })
const removing = perUserAnd('guild:member:remove::guild_id', 'guild_id', { requests: 20, seconds: 10 })

const listBansOperation = operation({
  name: 'List guild bans',
  description: "A guild's bans in force, by account id.",
  route: 'GET /v1/guilds/:guild_id/bans',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:members::guild_id', 'guild_id', { requests: 40, seconds: 10 }),
  params: z.object({ guild_id: guildIdInput }),
  replies: { 200: z.array(ban).readonly() },
  refuses: [...ofGuild, 'MISSING_ACCESS'],
  useCase: listBans,
  handle: ({ caller, params }, run) => run(caller, params.guild_id),
})

const readBanOperation = operation({
  name: 'Get guild ban',
  description: 'The ban of one account; NOT_FOUND if it is not banned.',
  route: 'GET /v1/guilds/:guild_id/bans/:user_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:members::guild_id', 'guild_id', { requests: 40, seconds: 10 }),
  params: banParams,
  replies: { 200: ban },
  refuses: [...ofGuild, 'MISSING_ACCESS', 'NOT_FOUND'],
  useCase: readBan,
  handle: ({ caller, params }, run) => run(caller, params.guild_id, params.user_id),
})

const banMemberOperation = operation({
  name: 'Create guild ban',
  description:
    'Bans an account from a guild, by the account itself, its e-mail address and the network of its last session, and ends its membership if it has one.',
  route: 'PUT /v1/guilds/:guild_id/bans/:user_id',
  callers: accounts({ bots: true }),
  bucket: removing,
  params: banParams,
  body: banWishes,
  replies: { 204: none },
  refuses: [...ofGuild, 'MISSING_ACCESS', 'RESOURCE_LOCKED', 'UNKNOWN_MEMBER', 'UNKNOWN_USER'],
  useCase: banMember,
  handle: ({ caller, params, body }, run) => run(caller, params.guild_id, params.user_id, body),
})

const unbanMemberOperation = operation({
  name: 'Remove guild ban',
  description: 'Lifts a ban.',
  route: 'DELETE /v1/guilds/:guild_id/bans/:user_id',
  callers: accounts({ bots: true }),
  bucket: removing,
  params: banParams,
  replies: { 204: none },
  refuses: [...ofGuild, 'MISSING_ACCESS'],
  useCase: unbanMember,
  handle: ({ caller, params }, run) => run(caller, params.guild_id, params.user_id),
})

/** The bans of a guild. */
export const banOperations: readonly Operation[] = [
  listBansOperation,
  readBanOperation,
  banMemberOperation,
  unbanMemberOperation,
]
