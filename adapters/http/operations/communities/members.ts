import { z } from 'zod'
import { addMemberRole, removeMemberRole } from '../../../../application/communities/members/change-member-roles.ts'
import { changeMember } from '../../../../application/communities/members/change-member.ts'
import { kickMember } from '../../../../application/communities/members/kick-member.ts'
import {
  listMembers,
  readAdmission,
  readMember,
  searchMembers,
} from '../../../../application/communities/members/read-members.ts'
import { accounts } from '../../callers.ts'
import { perUserAnd } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { admission, memberPatch, memberSearch, membersPage } from '../../schemas/communities/members.ts'
import { accountIdInput, guildIdInput, roleIdInput } from '../../schemas/scalars.ts'
import { ofGuild } from '../refusals-of-access.ts'
import { memberSchema } from '../../../../application/wire-objects/communities/member-objects.ts'

const guildParams = z.object({ guild_id: guildIdInput })
const memberParams = z.object({ guild_id: guildIdInput, user_id: accountIdInput })
const roleParams = z.object({ guild_id: guildIdInput, user_id: accountIdInput, role_id: roleIdInput })

const reading = perUserAnd('guild:members::guild_id', 'guild_id', { requests: 40, seconds: 10 })
const changing = perUserAnd('guild:member:update::guild_id', 'guild_id', { requests: 20, seconds: 10 })

const listMembersOperation = operation({
  name: 'List guild members',
  description: "A page of a guild's members in ascending order of ids.",
  route: 'GET /v1/guilds/:guild_id/members',
  callers: accounts({ bots: true }),
  bucket: reading,
  params: guildParams,
  query: membersPage,
  replies: { 200: z.array(memberSchema).readonly() },
  refuses: ['MISSING_ACCESS', 'MISSING_PERMISSIONS', 'UNKNOWN_GUILD'],
  useCase: listMembers,
  handle: ({ caller, params, query }, run) => run(caller, params.guild_id, query),
})

const searchMembersOperation = operation({
  name: 'Search guild members',
  description:
    'Members whose name begins with a text, in any case of letters: the nickname, else the display name, else the username.',
  route: 'GET /v1/guilds/:guild_id/members/search',
  callers: accounts({ bots: true }),
  bucket: reading,
  params: guildParams,
  query: memberSearch,
  replies: { 200: z.array(memberSchema).readonly() },
  refuses: ['MISSING_ACCESS', 'MISSING_PERMISSIONS', 'UNKNOWN_GUILD'],
  useCase: searchMembers,
  handle: ({ caller, params, query }, run) => run(caller, params.guild_id, query),
})

const readOwnMemberOperation = operation({
  name: 'Get current guild member',
  description: "The caller's own membership.",
  route: 'GET /v1/guilds/:guild_id/members/@me',
  callers: accounts({ bots: true }),
  bucket: reading,
  params: guildParams,
  replies: { 200: memberSchema },
  refuses: ['MISSING_ACCESS', 'MISSING_PERMISSIONS', 'UNKNOWN_GUILD', 'UNKNOWN_MEMBER'],
  useCase: readMember,
  handle: ({ caller, params }, run) => run(caller, params.guild_id, caller.account.id),
})

const readMemberOperation = operation({
  name: 'Get guild member',
  description: 'One member of a guild.',
  route: 'GET /v1/guilds/:guild_id/members/:user_id',
  callers: accounts({ bots: true }),
  bucket: reading,
  params: memberParams,
  replies: { 200: memberSchema },
  refuses: ['MISSING_ACCESS', 'MISSING_PERMISSIONS', 'UNKNOWN_GUILD', 'UNKNOWN_MEMBER'],
  useCase: readMember,
  handle: ({ caller, params }, run) => run(caller, params.guild_id, params.user_id),
})

const readAdmissionOperation = operation({
  name: 'Get guild member admission',
  description: 'How a member joined, from its join event, for callers with MANAGE_GUILD.',
  route: 'GET /v1/guilds/:guild_id/members/:user_id/admission',
  callers: accounts({ bots: true }),
  bucket: reading,
  params: memberParams,
  replies: { 200: admission },
  refuses: [...ofGuild, 'MISSING_ACCESS', 'UNKNOWN_MEMBER'],
  useCase: readAdmission,
  handle: ({ caller, params }, run) => run(caller, params.guild_id, params.user_id),
})

const changeOwnMemberOperation = operation({
  name: 'Modify current guild member',
  description: "Changes the caller's own membership, such as its nickname.",
  route: 'PATCH /v1/guilds/:guild_id/members/@me',
  callers: accounts({ bots: true }),
  bucket: changing,
  params: guildParams,
  body: memberPatch,
  exampleBody: { nick: 'Ada' },
  takesImage: true,
  replies: { 200: memberSchema },
  refuses: [...ofGuild, 'COMMUNICATION_DISABLED', 'MISSING_ACCESS', 'UNKNOWN_MEMBER', 'USER_NOT_IN_VOICE'],
  useCase: changeMember,
  handle: ({ caller, params, body }, run) => run(caller, params.guild_id, caller.account.id, body),
})

const changeMemberOperation = operation({
  name: 'Modify guild member',
  description: 'Changes a member: nickname, roles, mute, timeout.',
  route: 'PATCH /v1/guilds/:guild_id/members/:user_id',
  callers: accounts({ bots: true }),
  bucket: changing,
  params: memberParams,
  body: memberPatch,
  exampleBody: { nick: 'Ada' },
  takesImage: true,
  replies: { 200: memberSchema },
  refuses: [...ofGuild, 'COMMUNICATION_DISABLED', 'MISSING_ACCESS', 'UNKNOWN_MEMBER', 'USER_NOT_IN_VOICE'],
  useCase: changeMember,
  handle: ({ caller, params, body }, run) => run(caller, params.guild_id, params.user_id, body),
})

const kickMemberOperation = operation({
  name: 'Remove guild member',
  description: "Ends another account's membership.",
  route: 'DELETE /v1/guilds/:guild_id/members/:user_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:member:remove::guild_id', 'guild_id', { requests: 20, seconds: 10 }),
  params: memberParams,
  replies: { 204: none },
  refuses: [...ofGuild, 'MISSING_ACCESS', 'RESOURCE_LOCKED', 'UNKNOWN_MEMBER'],
  useCase: kickMember,
  handle: ({ caller, params }, run) => run(caller, params.guild_id, params.user_id),
})

const addMemberRoleOperation = operation({
  name: 'Add guild member role',
  description: 'Gives a member a role.',
  route: 'PUT /v1/guilds/:guild_id/members/:user_id/roles/:role_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:member:role:add::guild_id', 'guild_id', { requests: 20, seconds: 10 }),
  params: roleParams,
  replies: { 204: none },
  refuses: [...ofGuild, 'MISSING_ACCESS', 'UNKNOWN_MEMBER', 'UNKNOWN_ROLE'],
  useCase: addMemberRole,
  handle: ({ caller, params }, run) => run(caller, heldRole(params)),
})

const removeMemberRoleOperation = operation({
  name: 'Remove guild member role',
  description: 'Takes a role from a member.',
  route: 'DELETE /v1/guilds/:guild_id/members/:user_id/roles/:role_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:member:role:remove::guild_id', 'guild_id', { requests: 20, seconds: 10 }),
  params: roleParams,
  replies: { 204: none },
  refuses: [...ofGuild, 'MISSING_ACCESS', 'UNKNOWN_MEMBER', 'UNKNOWN_ROLE'],
  useCase: removeMemberRole,
  handle: ({ caller, params }, run) => run(caller, heldRole(params)),
})

function heldRole({ guild_id: guildId, user_id: targetId, role_id: roleId }: z.output<typeof roleParams>) {
  return { guildId, targetId, roleId }
}

/** The members of a guild. */
export const memberOperations: readonly Operation[] = [
  listMembersOperation,
  searchMembersOperation,
  readOwnMemberOperation,
  readMemberOperation,
  readAdmissionOperation,
  changeOwnMemberOperation,
  changeMemberOperation,
  kickMemberOperation,
  addMemberRoleOperation,
  removeMemberRoleOperation,
]
