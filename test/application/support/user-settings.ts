import type { UserSettingsQueries } from '../../../application/ports/queries/user-settings-queries.ts'
import { userGuildSettingsId, type UserGuildSettingsState } from '../../../domain/user-guild-settings/state.ts'
import type { UserSettingsState } from '../../../domain/user-settings/state.ts'

/** The settings of accounts, from states by stream. */
export function memoryUserSettings(
  settings: ReadonlyMap<string, UserSettingsState>,
  ofGuilds: ReadonlyMap<string, UserGuildSettingsState>,
): UserSettingsQueries {
  return {
    find: async (id) => settings.get(`user_settings-${id}`)?.chosen ?? {},
    findMany: async (ids) => new Map(ids.map((id) => [id, settings.get(`user_settings-${id}`)?.chosen ?? {}])),
    findForGuild: async (id, guildId) => {
      const state = ofGuilds.get(`user_guild_settings-${userGuildSettingsId(id, guildId)}`)
      return state && { guildId, settings: state.settings, version: state.version }
    },
  }
}
