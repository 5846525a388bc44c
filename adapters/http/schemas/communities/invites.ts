import { z } from 'zod'
import { partialGuild } from './guilds.ts'
import { snowflakeOutput, timestampOutput } from '../outputs.ts'
import { partialUser } from '../identity/account/users.ts'

const partialInviteChannel = z
  .object({
    id: snowflakeOutput,
    name: z.string().nullable(),
    type: z.int().describe('The kind of the channel; 3 is a group.'),
    recipients: z
      .array(z.object({ username: z.string() }))
      .readonly()
      .optional()
      .describe('The others in it.'),
  })
  .meta({ id: 'PartialInviteChannel' })

const inviteMembers = {
  code: z.string(),
  type: z.union([z.literal(0), z.literal(1)]).meta({ description: '0 GUILD, 1 GROUP_DM' }),
  guild: partialGuild.optional().describe('The guild that it leads to; absent for a group.'),
  channel: partialInviteChannel.optional(),
  inviter: partialUser.nullable().describe('Null if the account is gone.'),
  member_count: z.int().optional().describe('All members.'),
  presence_count: z.int().optional().describe('Members that are online.'),
  expires_at: timestampOutput.nullable().describe('Null for never.'),
  temporary: z
    .boolean()
    .describe('Whether members who join by it are removed once they are offline, unless they have a role.'),
}

/** An invite as everybody sees it. */
export const invite = z.object(inviteMembers).meta({ id: 'Invite' })

/** An invite as its creator and the managers of its guild see it. */
export const inviteMetadata = z
  .object({
    ...inviteMembers,
    created_at: timestampOutput,
    uses: z.int().describe('How often it was used.'),
    max_uses: z.int().describe('After so many uses it ends.'),
    max_age: z.int().optional().describe('Seconds until it expires; 0 for never.'),
  })
  .meta({ id: 'InviteMetadata' })

/** The custom URL of a guild as it is read. */
export const vanityUrl = z
  .object({
    code: z.string().nullable().describe('Null if the guild has none.'),
    uses: z.int().describe('How often it was used.'),
  })
  .meta({ id: 'VanityUrl' })

/** The custom URL that a guild has after a write. */
export const vanityUrlSelection = z
  .object({ code: z.string().nullable().describe('Null if the guild has none.') })
  .meta({ id: 'VanityUrlSelection' })
