import type { Known } from '../../events/known-event.js'
import type { Telling } from '../dispatch.js'
import { userGuildSettingsUpdate, userSettingsUpdates } from './user-settings-update.js'

/** An account has chosen otherwise: USER_SETTINGS_UPDATE, all that it has chosen, to its own sessions (reference gateway 2.3). */
export function userSettingsChanged({ data: { accountId }, metadata }: Known<'UserSettingsChanged'>): Telling {
  return {
    accounts: [],
    settingsOf: accountId,
    dispatches: (scene) => userSettingsUpdates(scene.sessionsOf(accountId), scene, metadata.at),
  }
}

/** Likewise for one guild, or for its private channels: USER_GUILD_SETTINGS_UPDATE. Nothing is told of a guild that was deleted since. */
export function userGuildSettingsChanged({ data }: Known<'UserGuildSettingsChanged'>): Telling {
  const { accountId, forGuild } = data
  return {
    accounts: [],
    guildSettingsOf: { accountId, forGuild },
    dispatches: ({ guildSettings, sessionsOf }) =>
      guildSettings ? [userGuildSettingsUpdate(sessionsOf(accountId), forGuild, guildSettings)] : [],
  }
}
