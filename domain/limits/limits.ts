import type { GuildFeature } from '../guild/features.js'

/** The stock limits (reference identity 8.7). An operator's own come with the instance's limit configuration. */
export const accountLimits = {
  maxGuilds: 100,
  /** Characters of the bio. */
  maxBioLength: 160,
} as const

export const guildLimits = {
  /** Invites that stand in all channels, the custom invite URL counted. */
  maxInvites: 1000,
  maxMembers: 1_000_000,
  /** With VERY_LARGE_GUILD. */
  maxMembersVeryLarge: 10_000_000,
} as const

/** How many members a guild may have. */
export function maxMembersOf(guild: { readonly features: readonly GuildFeature[] }): number {
  return guild.features.includes('VERY_LARGE_GUILD') ? guildLimits.maxMembersVeryLarge : guildLimits.maxMembers
}
