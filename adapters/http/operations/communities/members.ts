import { z } from 'zod'
import { accounts } from '../../callers.js'
import { perUserAnd } from '../../bucket.js'
import { none, operation } from '../../operation.js'
import { admission, member, memberPatch, membersPage } from '../../schemas/communities/members.js'
import { accountIdInput, guildIdInput, roleIdInput } from '../../schemas/scalars.js'
import { ofGuild } from '../refusals-of-places.js'

const guildParams = z.object({ guild_id: guildIdInput })
const memberParams = z.object({ guild_id: guildIdInput, user_id: accountIdInput })
const roleParams = z.object({ guild_id: guildIdInput, user_id: accountIdInput, role_id: roleIdInput })

const reading = perUserAnd('guild:members::guild_id', 'guild_id', { requests: 40, seconds: 10 })
const changing = perUserAnd('guild:member:update::guild_id', 'guild_id', { requests: 20, seconds: 10 })

export const listMembersOperation = operation({
  name: 'List guild members',
  route: 'GET /v1/guilds/:guild_id/members',
  callers: accounts({ bots: true }),
  bucket: reading,
  params: guildParams,
  query: membersPage,
  body: none,
  replies: { 200: z.array(member).readonly() },
  refuses: ['MISSING_ACCESS', 'MISSING_PERMISSIONS', 'UNKNOWN_GUILD'],
  handle: ({ caller, params, query }, { members }) => members.list(caller, params.guild_id, query),
})

export const readOwnMemberOperation = operation({
  name: 'Get current guild member',
  route: 'GET /v1/guilds/:guild_id/members/@me',
  callers: accounts({ bots: true }),
  bucket: reading,
  params: guildParams,
  query: none,
  body: none,
  replies: { 200: member },
  refuses: ['MISSING_ACCESS', 'MISSING_PERMISSIONS', 'UNKNOWN_GUILD', 'UNKNOWN_MEMBER'],
  handle: ({ caller, params }, { members }) => members.read(caller, params.guild_id, caller.account.id),
})

export const readMemberOperation = operation({
  name: 'Get guild member',
  route: 'GET /v1/guilds/:guild_id/members/:user_id',
  callers: accounts({ bots: true }),
  bucket: reading,
  params: memberParams,
  query: none,
  body: none,
  replies: { 200: member },
  refuses: ['MISSING_ACCESS', 'MISSING_PERMISSIONS', 'UNKNOWN_GUILD', 'UNKNOWN_MEMBER'],
  handle: ({ caller, params }, { members }) => members.read(caller, params.guild_id, params.user_id),
})

export const readAdmissionOperation = operation({
  name: 'Get guild member admission',
  route: 'GET /v1/guilds/:guild_id/members/:user_id/admission',
  callers: accounts({ bots: true }),
  bucket: reading,
  params: memberParams,
  query: none,
  body: none,
  replies: { 200: admission },
  refuses: [...ofGuild, 'MISSING_ACCESS', 'UNKNOWN_MEMBER'],
  handle: ({ caller, params }, { members }) => members.admission(caller, params.guild_id, params.user_id),
})

export const changeOwnMemberOperation = operation({
  name: 'Modify current guild member',
  route: 'PATCH /v1/guilds/:guild_id/members/@me',
  callers: accounts({ bots: true }),
  bucket: changing,
  params: guildParams,
  query: none,
  body: memberPatch,
  takesImage: true,
  replies: { 200: member },
  refuses: [...ofGuild, 'COMMUNICATION_DISABLED', 'MISSING_ACCESS', 'UNKNOWN_MEMBER', 'USER_NOT_IN_VOICE'],
  handle: ({ caller, params, body }, { members }) => members.change(caller, params.guild_id, caller.account.id, body),
})

export const changeMemberOperation = operation({
  name: 'Modify guild member',
  route: 'PATCH /v1/guilds/:guild_id/members/:user_id',
  callers: accounts({ bots: true }),
  bucket: changing,
  params: memberParams,
  query: none,
  body: memberPatch,
  takesImage: true,
  replies: { 200: member },
  refuses: [...ofGuild, 'COMMUNICATION_DISABLED', 'MISSING_ACCESS', 'UNKNOWN_MEMBER', 'USER_NOT_IN_VOICE'],
  handle: ({ caller, params, body }, { members }) => members.change(caller, params.guild_id, params.user_id, body),
})

export const kickMemberOperation = operation({
  name: 'Remove guild member',
  route: 'DELETE /v1/guilds/:guild_id/members/:user_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:member:remove::guild_id', 'guild_id', { requests: 20, seconds: 10 }),
  params: memberParams,
  query: none,
  body: none,
  replies: { 204: none },
  refuses: [...ofGuild, 'MISSING_ACCESS', 'RESOURCE_LOCKED', 'UNKNOWN_MEMBER'],
  handle: ({ caller, params }, { members }) => members.kick(caller, params.guild_id, params.user_id),
})

export const addMemberRoleOperation = operation({
  name: 'Add guild member role',
  route: 'PUT /v1/guilds/:guild_id/members/:user_id/roles/:role_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:member:role:add::guild_id', 'guild_id', { requests: 20, seconds: 10 }),
  params: roleParams,
  query: none,
  body: none,
  replies: { 204: none },
  refuses: [...ofGuild, 'MISSING_ACCESS', 'UNKNOWN_MEMBER', 'UNKNOWN_ROLE'],
  handle: ({ caller, params }, { members }) => members.addRole(caller, heldRole(params)),
})

export const removeMemberRoleOperation = operation({
  name: 'Remove guild member role',
  route: 'DELETE /v1/guilds/:guild_id/members/:user_id/roles/:role_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:member:role:remove::guild_id', 'guild_id', { requests: 20, seconds: 10 }),
  params: roleParams,
  query: none,
  body: none,
  replies: { 204: none },
  refuses: [...ofGuild, 'MISSING_ACCESS', 'UNKNOWN_MEMBER', 'UNKNOWN_ROLE'],
  handle: ({ caller, params }, { members }) => members.removeRole(caller, heldRole(params)),
})

function heldRole({ guild_id: guildId, user_id: targetId, role_id: roleId }: z.output<typeof roleParams>) {
  return { guildId, targetId, roleId }
}
