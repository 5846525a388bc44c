import type { GuildBanQueries } from '../../../application/ports/queries/guild-ban-queries.ts'
import { membershipId } from '../../../domain/ids/ids.ts'
import { isBanned } from '../../../domain/membership/state.ts'
import type { Rows } from './rows.ts'

/** Bans of accounts themselves. Bans by address and network are tested with Postgres. */
export function memoryGuildBans(rows: Rows): GuildBanQueries {
  const keepingOut: GuildBanQueries['keepingOut'] = async (guild, { accountId }, now) => {
    const state = rows.members.get(`membership-${membershipId(guild, accountId)}`)
    return state && isBanned(state, now) ? 'person' : undefined
  }
  return {
    ofGuild: async () => [],
    find: async () => undefined,
    countOf: async () => 0,
    keepingOut,
    ofJoined: async (guild, newcomer, now) => {
      const chosen = rows.settings.get(`user_settings-${newcomer.accountId}`)?.chosen
      return {
        keptOutBy: await keepingOut(guild, newcomer, now),
        chosen: {
          hidesMutedChannels: chosen?.defaultHideMutedChannels === true,
          restrictsGuild: chosen?.defaultGuildsRestricted === true || chosen?.botDefaultGuildsRestricted === true,
        },
        memberCount: rows.guildFor(guild, newcomer.accountId)?.memberCount ?? 0,
      }
    },
  }
}
