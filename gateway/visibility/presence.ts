import type { LocalPresence, Presence, PresenceExchange } from '../../application/ports/presence.ts'
import type { OnlineMembers } from './online-members.ts'
import type { World } from './world.ts'

/** Presence from the sessions of this Gateway, and of other Gateways if presence is shared. */
export function presenceOf(world: World, online: OnlineMembers, exchange: PresenceExchange | undefined): Presence {
  const here = localPresenceOf(world, online)
  return {
    isPresent: async (account) =>
      here.sessionsOf(account).length > 0 || ((await exchange?.isPresentElsewhere(account)) ?? false),
    hearsAll: () => exchange?.hearsOthers() ?? true,
    onlineCounts: (guilds) => Promise.resolve(new Map(guilds.map((guild) => [guild, online.count(guild)]))),
  }
}

/** Presence from the sessions of this Gateway alone. */
export function localPresenceOf(world: World, online: OnlineMembers): LocalPresence {
  return {
    sessionsOf: (account) =>
      world.sessionsOf(account).flatMap(({ isOffline, present }) => (isOffline ? [] : [present])),
    onlineIn: (account) => online.guildsOf(account),
    onlineCount: (guild) => online.countHere(guild),
  }
}
