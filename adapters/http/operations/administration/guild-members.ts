import { addGuildMemberAsAdmin } from '../../../../application/administration/guilds/add-guild-member.ts'
import { banFromGuild, unbanFromGuild } from '../../../../application/administration/guilds/ban-from-guild.ts'
import { removeGuildMember } from '../../../../application/administration/guilds/remove-guild-member.ts'
import { admin } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import { changedGuildReply } from '../../schemas/administration/guild-changes.ts'
import { banWishes } from '../../schemas/communities/bans.ts'
import { adminGuildModify } from './buckets.ts'
import { guildMemberParams, inGuild, ofGuildMember } from './of-guilds.ts'

const addGuildMemberOperation = operation({
  name: 'Add guild member',
  description:
    'Makes an account a member of a guild, whether or not it asked; a member stays one. A ban of the account and a full guild refuse it.',
  route: 'PUT /v1/admin/guilds/:guild_id/members/:user_id',
  callers: admin({ acls: ['guild:force_add_member'] }),
  bucket: adminGuildModify,
  params: guildMemberParams,
  replies: { 200: changedGuildReply },
  adminAudit: { action: 'force_add_to_guild', ...ofGuildMember, metadata: inGuild },
  refuses: ['MAX_GUILD_MEMBERS', 'RESOURCE_LOCKED', 'UNKNOWN_GUILD', 'UNKNOWN_USER', 'USER_BANNED_FROM_GUILD'],
  useCase: addGuildMemberAsAdmin,
  handle: async ({ caller, params, noteAudited }, run) => {
    const { guild, isNew } = await run(caller, params.guild_id, params.user_id)
    noteAudited({ was_member: String(!isNew) })
    return { guild }
  },
})

const kickGuildMemberOperation = operation({
  name: 'Kick guild member',
  description: 'Ends a membership; never that of the owner.',
  route: 'DELETE /v1/admin/guilds/:guild_id/members/:user_id',
  callers: admin({ acls: ['guild:kick_member'] }),
  bucket: adminGuildModify,
  params: guildMemberParams,
  replies: { 200: changedGuildReply },
  adminAudit: { action: 'kick_member', ...ofGuildMember, metadata: inGuild },
  refuses: ['RESOURCE_LOCKED', 'UNKNOWN_GUILD', 'UNKNOWN_MEMBER'],
  useCase: removeGuildMember,
  handle: async ({ caller, params }, run) => ({ guild: await run(caller, params.guild_id, params.user_id) }),
})

const banGuildMemberOperation = operation({
  name: 'Ban guild member',
  description:
    'Bans an account from a guild as its moderators would, whether or not it is a member; never its owner. The reason is shown to the moderators.',
  route: 'PUT /v1/admin/guilds/:guild_id/bans/:user_id',
  callers: admin({ acls: ['guild:ban_member'] }),
  bucket: adminGuildModify,
  params: guildMemberParams,
  body: banWishes,
  replies: { 200: changedGuildReply },
  adminAudit: {
    action: 'ban_member',
    ...ofGuildMember,
    metadata: ({ params, body }) => ({
      ...inGuild({ params }),
      ban_duration_seconds: String(body.duration),
      ...(body.deleteMessageSeconds !== null && { delete_message_seconds: String(body.deleteMessageSeconds) }),
      ...(body.deleteMessageDays !== null && { delete_message_days: String(body.deleteMessageDays) }),
    }),
    // The entry says `null` where no reason was given.
    personalMetadata: ({ body }) => ({ reason: body.reason ?? 'null' }),
  },
  refuses: ['RESOURCE_LOCKED', 'UNKNOWN_GUILD', 'UNKNOWN_USER'],
  useCase: banFromGuild,
  handle: async ({ caller, params, body }, run) => ({
    guild: await run(caller, params.guild_id, params.user_id, body),
  }),
})

const unbanGuildMemberOperation = operation({
  name: 'Unban guild member',
  description: 'Lifts a ban of a guild.',
  route: 'DELETE /v1/admin/guilds/:guild_id/bans/:user_id',
  callers: admin({ acls: ['guild:ban_member'] }),
  bucket: adminGuildModify,
  params: guildMemberParams,
  replies: { 200: changedGuildReply },
  adminAudit: { action: 'unban_member', ...ofGuildMember, metadata: inGuild },
  refuses: ['UNKNOWN_GUILD'],
  useCase: unbanFromGuild,
  handle: async ({ caller, params }, run) => ({ guild: await run(caller, params.guild_id, params.user_id) }),
})

/** What administrators do to accounts in guilds. */
export const guildMemberOperations: readonly Operation[] = [
  addGuildMemberOperation,
  kickGuildMemberOperation,
  banGuildMemberOperation,
  unbanGuildMemberOperation,
]
