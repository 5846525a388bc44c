import type { Presence } from '../../application/ports/presence.js'
import type { OnlineMembers } from './online-members.js'
import type { World } from './world.js'

/** Who is there, as the sessions of this Gateway say. */
export function presenceOf(world: World, online: OnlineMembers): Presence {
  return {
    isPresent: (account) => Promise.resolve(world.sessionsOf(account).some(({ isOffline }) => !isOffline)),
    onlineCounts: (guilds) => Promise.resolve(new Map(guilds.map((guild) => [guild, online.count(guild)]))),
  }
}
