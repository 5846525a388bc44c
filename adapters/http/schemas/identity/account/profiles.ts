import { z } from 'zod'
import { nothingBuilt } from '../../communities/guilds.ts'
import { member } from '../../communities/members.ts'
import { snowflakeOutput, timestampOutput } from '../../outputs.ts'
import { queryBoolean } from '../../query-inputs.ts'
import { accountIdInput, guildIdInput } from '../../scalars.ts'
import { partialUser } from './users.ts'

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
    user: partialUser,
    user_profile: z.object({ bio: text, pronouns: text, banner: text, banner_color: color, accent_color: color }),
    guild_member: member.optional(),
    guild_member_profile: z.object({ bio: text, pronouns: text, banner: text, accent_color: color }).optional(),
    premium_type: z.int().optional(),
    premium_since: timestampOutput.optional(),
    premium_lifetime_sequence: z.int().optional(),
    mutual_friends: z.array(partialUser).readonly().optional(),
    mutual_guilds: z
      .array(z.object({ id: snowflakeOutput, nick: text }))
      .readonly()
      .optional(),
    connected_accounts: nothingBuilt,
    timezone_offset: z.int().nullable(),
    profile_limited: z.boolean().optional(),
  })
  .meta({ id: 'FullProfile' })
