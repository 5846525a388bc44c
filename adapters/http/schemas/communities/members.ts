import { z } from 'zod'
import type { MemberPatch } from '../../../../application/communities/members/member-patch.ts'
import { colorInput } from '../colors.ts'
import { profileImageInput } from '../images.ts'
import { queryInteger } from '../query-inputs.ts'
import { accountIdInput, channelIdInput, nameInput, roleIdInput, textInput } from '../scalars.ts'
import { timestampInput } from '../timestamps.ts'
import { admissionWays } from '../../../../application/wire-objects/communities/member-objects.ts'
import { timestampOutput } from '../../../../application/wire-objects/scalars.ts'
import { partialUserSchema } from '../../../../application/wire-objects/identity/user-objects.ts'

const membersPage_max = 1000
const searchedName_max = 100

/** The query of List guild members. */
export const membersPage = z
  .object({
    after: accountIdInput.optional(),
    limit: queryInteger({ min: 1, max: membersPage_max }, 1),
  })
  .transform(({ after, limit }) => ({ ...(after === undefined ? {} : { after }), limit }))

/** The query of Search guild members. */
export const memberSearch = z.object({
  query: z.string().max(searchedName_max).default(''),
  limit: queryInteger({ min: 1, max: membersPage_max }, 1),
})

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
    by: z.enum(admissionWays),
    code: z.string().nullable(),
    inviter: partialUserSchema.nullable().describe('Null if the account is gone.'),
    admitted_at: timestampOutput,
  })
  .meta({ id: 'GuildMemberAdmission' })
