import type { Known } from '../../events/known-event.js'
import type { Telling } from '../dispatch.js'
import { userGuildSettingsUpdate, userSettingsUpdates } from './user-settings-update.js'

/** An account changed its settings: USER_SETTINGS_UPDATE, all chosen settings, to its own sessions (reference gateway 2.3). */
export function userSettingsChanged({ data: { accountId }, metadata }: Known<'UserSettingsChanged'>): Telling {
  return {
    accounts: [],
    settingsOf: accountId,
    dispatches: (scene) => userSettingsUpdates(scene.sessionsOf(accountId), scene, metadata.at),
  }
}

/** The same for one guild, or for its private channels: USER_GUILD_SETTINGS_UPDATE. No dispatch for a guild deleted since. */
export function userGuildSettingsChanged({ data }: Known<'UserGuildSettingsChanged'>): Telling {
  const { accountId, forGuild } = data
  return {
    accounts: [],
    guildSettingsOf: { accountId, forGuild },
    dispatches: ({ guildSettings, sessionsOf }) =>
      guildSettings ? [userGuildSettingsUpdate(sessionsOf(accountId), forGuild, guildSettings)] : [],
  }
}
