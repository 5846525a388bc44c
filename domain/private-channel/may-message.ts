import type { GuildId } from '../ids/ids.ts'

/** The relationship between the sender and the recipient of a direct message. */
export interface Acquaintance {
  /** Whether either has blocked the other. */
  readonly isBlocked: boolean
  readonly areFriends: boolean
  /** The guilds that both are in. */
  readonly sharedGuilds: readonly GuildId[]
  /** The guilds whose members the recipient accepts no messages from; there are separate lists for bots and for people. */
  readonly restrictedGuilds: readonly GuildId[]
}

/**
 * Whether an account may message another: not if either has blocked the other; otherwise if they are friends, or share
 * a guild that the recipient accepts direct messages from (rules/messages#direct-messages).
 */
export function mayMessage({ isBlocked, areFriends, sharedGuilds, restrictedGuilds }: Acquaintance): boolean {
  if (isBlocked) return false
  return areFriends || sharedGuilds.some((guild) => !restrictedGuilds.includes(guild))
}
