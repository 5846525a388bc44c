import { z } from 'zod'
import type { MemberPatch } from '../../../../application/communities/members/member-patch.ts'
import { partialUser } from '../identity/account/users.ts'
import { colorInput } from '../colors.ts'
import { profileImageInput } from '../images.ts'
import { snowflakeOutput, timestampOutput } from '../outputs.ts'
import { queryInteger } from '../query-inputs.ts'
import { accountIdInput, channelIdInput, nameInput, roleIdInput, textInput } from '../scalars.ts'
import { timestampInput } from '../timestamps.ts'

export const member = z
  .object({
    user: partialUser,
    nick: z.string().nullable().describe('The name in this guild; null for that of the account.'),
    avatar: z
      .string()
      .nullable()
      .describe('The hash of the image; it begins with a_ if the image moves. Null if there is none.'),
    banner: z
      .string()
      .nullable()
      .describe('The hash of the image; it begins with a_ if the image moves. Null if there is none.'),
    accent_color: z.int().nullable().describe('Null if none is chosen.'),
    roles: z.array(snowflakeOutput).readonly().describe('Without the role of everyone.'),
    joined_at: timestampOutput,
    mute: z
      .boolean()
      .describe('Whether the member cannot be heard in voice channels. Also true while a timeout lasts.'),
    deaf: z.boolean().describe('Whether the member hears nobody in voice channels.'),
    communication_disabled_until: timestampOutput
      .nullable()
      .describe('Until when the member cannot write or speak, at most 365.25 days ahead; null for no timeout.'),
    profile_flags: z
      .int()
      .optional()
      .describe('Bits: 1 AVATAR_UNSET, 2 BANNER_UNSET: in this guild the account shows none.'),
    mention_flags: z
      .int()
      .optional()
      .describe('0 no preference, 1 prefers replies that mention, 2 prefers replies that do not.'),
  })
  .meta({ id: 'GuildMember' })

const membersPage_max = 1000

/** The query of List guild members. */
export const membersPage = z
  .object({
    after: accountIdInput.optional(),
    limit: queryInteger({ min: 1, max: membersPage_max }, 1),
  })
  .transform(({ after, limit }) => ({ ...(after === undefined ? {} : { after }), limit }))

const roles_max = 250
const profileFlags_max = 3
const mentionFlags_max = 2

/** The body of Modify guild member. Members that are not sent stay as they are. */
export const memberPatch = z.object({
  nick: nameInput({ min: 1, max: 32 }).nullable().optional(),
  roles: z.array(roleIdInput).max(roles_max).readonly().optional(),
  mute: z.boolean().optional(),
  deaf: z.boolean().optional(),
  channel_id: channelIdInput.nullable().optional(),
  connection_id: z.string().max(64).nullable().optional(),
  communication_disabled_until: timestampInput.nullable().optional(),
  timeout_reason: textInput({ min: 1, max: 512 }).nullable().optional(),
  avatar: profileImageInput.nullable().optional(),
  banner: profileImageInput.nullable().optional(),
  bio: textInput({ min: 1, max: 320 }).nullable().optional(),
  pronouns: textInput({ min: 1, max: 40 }).nullable().optional(),
  accent_color: colorInput.nullable().optional(),
  profile_flags: z.int().min(0).max(profileFlags_max).optional(),
  mention_flags: z.int().min(0).max(mentionFlags_max).optional(),
}) satisfies z.ZodType<MemberPatch>

/** How a member joined the guild. */
export const admission = z
  .object({
    by: z.enum(['founding', 'invite', 'custom_invite', 'discovery', 'community', 'bot_installation']),
    code: z.string().nullable(),
    inviter: partialUser.nullable().describe('Null if the account is gone.'),
    admitted_at: timestampOutput,
  })
  .meta({ id: 'GuildMemberAdmission' })
