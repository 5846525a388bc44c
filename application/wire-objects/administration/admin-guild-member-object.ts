import { z } from 'zod'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { AdmittedMember } from '../../ports/queries/member-queries.ts'
import { admissionWays, inviterOf, memberSchema } from '../communities/member-objects.ts'
import { adminResolvedUser, adminResolvedUserSchema } from './admin-resolved-user.ts'
import { imageHashOutput, nullableSnowflake, nullableText, timestampOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

const { shape: sharedMembers } = memberSchema.pick({
  nick: true,
  roles: true,
  deaf: true,
  communication_disabled_until: true,
})

export const adminGuildMemberSchema = wireObject('AdminGuildMember', {
  user: adminResolvedUserSchema,
  bot: z.boolean().describe('Whether the account is a bot.'),
  ...sharedMembers,
  avatar: imageHashOutput,
  banner: imageHashOutput,
  bio: nullableText,
  pronouns: nullableText,
  joined_at: timestampOutput,
  temporary: z.boolean().describe('Whether the membership ends once the member is offline, unless it has a role.'),
  mute: z.boolean().describe('Whether moderators muted the member in voice channels.'),
  admitted_by: z.enum(admissionWays).describe('How the member came into the guild.'),
  invite_code: nullableText.describe('The code of the invite; null without an invite, and for the guild’s custom one.'),
  inviter_id: nullableSnowflake.describe('The account that invited the member or installed the bot; null for none.'),
})

export type AdminGuildMemberObject = ObjectOf<typeof adminGuildMemberSchema>

/** A member of a guild as administrators see it, with how it was admitted. */
export function adminGuildMemberObject(
  { member, admission }: AdmittedMember,
  account: AccountRecord,
): AdminGuildMemberObject {
  return objectOf(adminGuildMemberSchema, {
    user: adminResolvedUser(account),
    bot: account.bot,
    nick: member.nick,
    roles: member.roles,
    deaf: member.deaf,
    communication_disabled_until: member.communicationDisabledUntil,
    avatar: member.avatar,
    banner: member.banner,
    bio: member.bio,
    pronouns: member.pronouns,
    joined_at: member.joinedAt,
    temporary: member.temporary,
    mute: member.mute,
    admitted_by: admission.by,
    invite_code: admission.by === 'invite' ? admission.code : null,
    inviter_id: inviterOf(admission),
  })
}
