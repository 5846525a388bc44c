import { isDeepStrictEqual } from 'node:util'
import type { ChosenSettings } from '../../../domain/user-settings/settings.ts'
import type { Known } from '../../visibility/known-event.ts'
import type { World } from '../../visibility/world.ts'
import { preparing, type Telling } from '../telling.ts'
import { userGuildSettingsUpdate, userSettingsUpdates } from './user-settings-update.ts'

/** An account changed its settings: USER_SETTINGS_UPDATE, all chosen settings, to its own sessions. */
export function userSettingsChanged(event: Known<'UserSettingsChanged'>): Telling {
  const { accountId } = event.data
  return preparing(['USER_SETTINGS_UPDATE'], {
    prepare: async ({ lookups, world }) => {
      const chosen = await lookups.ask(({ userSettings }) => userSettings.find(accountId))
      return (scene) => {
        if (chosen) renewSettings(world, event, chosen)
        return userSettingsUpdates(scene.sessionsOf(accountId), scene, event.metadata.at)
      }
    },
  })
}

/**
 * Gives the sessions of an account its new settings. Sessions whose READY does not include the event take the chosen
 * status, and all take a changed custom status.
 */
function renewSettings(world: World, { data, position }: Known<'UserSettingsChanged'>, chosen: ChosenSettings): void {
  const { status } = data.changes
  for (const session of world.sessionsOf(data.accountId)) {
    if (!isDeepStrictEqual(session.settings.customStatus ?? null, chosen.customStatus ?? null))
      session.customStatus = undefined
    session.settings = chosen
    if (status === undefined || session.since >= position) continue
    session.presence = { ...session.presence, status }
    world.recountOnline(session)
  }
}

/** The same for one guild, or for its private channels: USER_GUILD_SETTINGS_UPDATE. No dispatch for a guild deleted since. */
export function userGuildSettingsChanged({ data }: Known<'UserGuildSettingsChanged'>): Telling {
  const { accountId, forGuild } = data
  return preparing(['USER_GUILD_SETTINGS_UPDATE'], {
    prepare: async ({ lookups }) => {
      const found = await lookups.ask(({ userSettings }) => userSettings.findForGuild(accountId, forGuild))
      return ({ sessionsOf }) => (found ? [userGuildSettingsUpdate(sessionsOf(accountId), forGuild, found)] : [])
    },
  })
}
