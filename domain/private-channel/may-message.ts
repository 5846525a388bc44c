import type { GuildId } from '../ids/ids.js'

/** What stands between somebody who writes a direct message and whom it is for. */
export interface Acquaintance {
  /** Whether either has blocked the other. */
  readonly isBlocked: boolean
  readonly areFriends: boolean
  /** The guilds that both are in. */
  readonly sharedGuilds: readonly GuildId[]
  /** The guilds whose members the one whom it is for hears nothing from; another list for bots than for people. */
  readonly restrictedGuilds: readonly GuildId[]
}

/**
 * Whether somebody may write to another: nobody who is blocked either way, every friend, and whoever shares a guild that the
 * other takes direct messages from (reference gateway 5.7, CANNOT_SEND_MESSAGES_TO_USER; reference identity 9.5).
 */
export function mayMessage({ isBlocked, areFriends, sharedGuilds, restrictedGuilds }: Acquaintance): boolean {
  if (isBlocked) return false
  return areFriends || sharedGuilds.some((guild) => !restrictedGuilds.includes(guild))
}
