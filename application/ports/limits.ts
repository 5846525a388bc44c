import { accountLimits, guildLimits, maxMembersOf } from '../../domain/limits/limits.js'
import type { Guild } from '../../domain/guild/state.js'
import type { AccountRecord } from './queries/account-queries.js'

/** The limits that hold for an account or a guild now. */
export interface Limits {
  /** How many guilds the account may be in. */
  maxGuilds(account: AccountRecord): number
  /** How many characters the account's bio may have, at most 320. */
  maxBioLength(account: AccountRecord): number
  /** How many invites may stand in the guild. */
  maxInvites(guild: Guild): number
  /** How many members the guild may have. */
  maxMembers(guild: Guild): number
}

/** The stock limits (reference identity 8.7). */
export const stockLimits: Limits = {
  maxGuilds: () => accountLimits.maxGuilds,
  maxBioLength: () => accountLimits.maxBioLength,
  maxInvites: () => guildLimits.maxInvites,
  maxMembers: maxMembersOf,
}
