import { createHash } from 'node:crypto'
import { accountLimits, guildLimits } from '../../domain/limits/limits.js'

/** The stock limits by the names that clients know (reference identity 8.7), as far as this server has what they limit. */
const defaults = {
  max_bio_length: accountLimits.maxBioLength,
  max_guilds: accountLimits.maxGuilds,
  max_guild_invites: guildLimits.maxInvites,
  max_guild_members: guildLimits.maxMembers,
} as const

/** The limits as the discovery document tells them (reference identity 2.10). */
export const publishedLimits = {
  version: 2,
  traitDefinitions: [] as readonly string[],
  rules: [
    { id: 'default', overrides: defaults },
    {
      id: 'very_large_guild',
      filters: { guildFeatures: ['VERY_LARGE_GUILD'] },
      overrides: { max_guild_members: guildLimits.maxMembersVeryLarge },
    },
  ],
  defaultsHash: createHash('sha256').update(JSON.stringify(defaults)).digest('hex'),
} as const
