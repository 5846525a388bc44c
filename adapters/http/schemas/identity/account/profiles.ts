import { z } from 'zod'
import { queryBoolean } from '../../query-inputs.ts'
import { accountIdInput, guildIdInput } from '../../scalars.ts'
import {
  imageHashOutput,
  nothingBuilt,
  snowflakeOutput,
  timestampOutput,
} from '../../../../../application/wire-objects/scalars.ts'
import { memberSchema } from '../../../../../application/wire-objects/communities/member-objects.ts'
import { partialUserSchema } from '../../../../../application/wire-objects/identity/user-objects.ts'

export const profileParameters = z.object({ target_id: accountIdInput })

export const profileQuery = z
  .object({
    guild_id: guildIdInput.optional(),
    with_mutual_friends: queryBoolean,
    with_mutual_guilds: queryBoolean,
  })
  .transform((query) => ({
    guildId: query.guild_id,
    withMutualFriends: query.with_mutual_friends,
    withMutualGuilds: query.with_mutual_guilds,
  }))

const text = z.string().nullable()
const color = z.int().nullable()

export const fullProfile = z
  .object({
    user: partialUserSchema,
    user_profile: z
      .object({
        bio: text.describe('About the account, in Markdown. Null if it is empty.'),
        pronouns: text.describe('Null if they are empty.'),
        banner: imageHashOutput,
        banner_color: color.describe('The average colour of the banner, as 24 bits of RGB; null without a banner.'),
        accent_color: color.describe('Null if none is chosen.'),
      })
      .describe('The profile that counts everywhere.'),
    guild_member: memberSchema.optional(),
    guild_member_profile: z
      .object({
        bio: text.describe('About the account, in Markdown. Null if it is empty.'),
        pronouns: text.describe('Null if they are empty.'),
        banner: imageHashOutput,
        accent_color: color.describe('Null if none is chosen.'),
      })
      .optional()
      .describe('The profile in the guild that the request names. Absent if it names none.'),
    premium_type: z.int().optional().describe('0 none, 1 subscription, 2 lifetime.'),
    premium_since: timestampOutput.optional(),
    premium_lifetime_sequence: z.int().optional().describe('The number of a lifetime’s premium.'),
    mutual_friends: z.array(partialUserSchema).readonly().optional().describe('Present if the request asked for them.'),
    mutual_guilds: z
      .array(
        z.object({ id: snowflakeOutput, nick: text.describe('The name in this guild; null for that of the account.') }),
      )
      .readonly()
      .optional()
      .describe('Present if the request asked for them.'),
    connected_accounts: nothingBuilt,
    timezone_offset: z.int().nullable().describe('Minutes ahead of UTC; null if it is not shown.'),
    profile_limited: z
      .boolean()
      .optional()
      .describe('Whether the account shows the caller only a part of its profile.'),
  })
  .meta({ id: 'FullProfile' })
