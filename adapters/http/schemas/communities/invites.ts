import { z } from 'zod'
import { partialGuild } from './guilds.ts'
import { snowflakeOutput, timestampOutput } from '../outputs.ts'
import { partialUser } from '../identity/account/users.ts'

const partialInviteChannel = z
  .object({
    id: snowflakeOutput,
    name: z.string().nullable(),
    type: z.int(),
    recipients: z
      .array(z.object({ username: z.string() }))
      .readonly()
      .optional(),
  })
  .meta({ id: 'PartialInviteChannel' })

const inviteMembers = {
  code: z.string(),
  type: z.union([z.literal(0), z.literal(1)]).meta({ description: '0 GUILD, 1 GROUP_DM' }),
  guild: partialGuild.optional(),
  channel: partialInviteChannel.optional(),
  inviter: partialUser.nullable(),
  member_count: z.int().optional(),
  presence_count: z.int().optional(),
  expires_at: timestampOutput.nullable(),
  temporary: z.boolean(),
}

/** An invite as everybody sees it. */
export const invite = z.object(inviteMembers).meta({ id: 'Invite' })

/** An invite as its creator and the managers of its guild see it. */
export const inviteMetadata = z
  .object({
    ...inviteMembers,
    created_at: timestampOutput,
    uses: z.int(),
    max_uses: z.int(),
    max_age: z.int().optional(),
  })
  .meta({ id: 'InviteMetadata' })

/** The custom URL of a guild as it is read. */
export const vanityUrl = z.object({ code: z.string().nullable(), uses: z.int() }).meta({ id: 'VanityUrl' })

/** The custom URL that a guild has after a write. */
export const vanityUrlSelection = z.object({ code: z.string().nullable() }).meta({ id: 'VanityUrlSelection' })
