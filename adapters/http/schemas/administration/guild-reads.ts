import { z } from 'zod'
import {
  adminGuildDetailSchema,
  adminGuildSchema,
} from '../../../../application/wire-objects/administration/admin-guild-object.ts'
import { adminGuildBanSchema } from '../../../../application/wire-objects/administration/admin-guild-ban-object.ts'
import { adminGuildInviteSchema } from '../../../../application/wire-objects/administration/admin-guild-invite-object.ts'
import { adminGuildMemberSchema } from '../../../../application/wire-objects/administration/admin-guild-member-object.ts'
import { channelSchema } from '../../../../application/wire-objects/communities/channel-objects.ts'
import { roleSchema } from '../../../../application/wire-objects/communities/guild-objects.ts'
import { inviteCodeLength, parseInviteCode } from '../../../../domain/text/normalise.ts'
import { vanityUrl } from '../communities/invites.ts'
import { queryInteger } from '../query-inputs.ts'
import { accountIdInput, readBy, textInput } from '../scalars.ts'
import { searchedText } from './searched-text.ts'

const guildsPage_max = 200
const guildsPageDefault = 50
const guildsOffset_max = 10_000

/** The query of List Admin guilds. */
export const wantedGuilds = z
  .object({
    q: searchedText
      .optional()
      .describe(
        'An id, or a part of the name, of the custom invite code, or of tags and description in the directory.',
      ),
    limit: queryInteger({ min: 1, max: guildsPage_max }, guildsPageDefault),
    offset: queryInteger({ min: 0, max: guildsOffset_max }, 0),
  })
  .transform(({ q, limit, offset }) => ({ text: q ?? '', page: { limit, offset } }))

export const listedGuilds = z.object({
  guilds: z.array(adminGuildSchema).readonly(),
  total: z.int().describe('How many there are on all pages.'),
})

export const foundGuild = z.object({
  guild: adminGuildDetailSchema.nullable().describe('Null for an unknown or deleted guild.'),
})

/** Members and bans: those after an account, ascending by id. */
const accountsPage = {
  after: accountIdInput.optional(),
  limit: queryInteger({ min: 1, max: 200 }, 50),
}

/** The query of List Admin guild members: what a name of theirs begins with, and the code of an invite. */
export const wantedMembers = z
  .object({
    ...accountsPage,
    q: textInput({ min: 1, max: 32 })
      .optional()
      .describe('What the username, the display name or the nickname in the guild begins with.'),
    invite: readBy(parseInviteCode, inviteCodeLength)
      .optional()
      .describe('The code of the invite that admitted them; the custom one finds those who came by any custom one.'),
  })
  .transform(({ q, invite, after, limit }) => ({ name: q, invite, limit, ...(after !== undefined && { after }) }))

export const bansPage = z
  .object(accountsPage)
  .transform(({ after, limit }) => ({ limit, ...(after !== undefined && { after }) }))

export const guildMembers = z.object({ members: z.array(adminGuildMemberSchema).readonly() })

export const guildChannels = z.object({ channels: z.array(channelSchema).readonly() })

export const guildRoles = z.object({ roles: z.array(roleSchema).readonly() })

export const guildInvites = z.object({ invites: z.array(adminGuildInviteSchema).readonly(), vanity_url: vanityUrl })

export const guildBans = z.object({ bans: z.array(adminGuildBanSchema).readonly() })
