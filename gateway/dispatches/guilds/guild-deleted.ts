import type { Known } from '../../events/known-event.js'
import { same, type Telling } from '../dispatch.js'
import { sessionsOfLinks, userSettingsUpdates } from '../accounts/user-settings-update.js'

/** A guild was deleted: GUILD_DELETE to every session in it, whatever its state (contract part 1, Delete guild). */
export function guildDeleted({ data, metadata }: Known<'GuildDeleted'>): Telling {
  const { guildId } = data
  return {
    accounts: [],
    dispatches: (scene) => [
      {
        t: 'GUILD_DELETE',
        guildId,
        audience: { kind: 'sessions', sessions: sessionsOfLinks(scene.departed) },
        body: same({ id: guildId, guild_id: guildId }),
      },
      ...userSettingsUpdates(sessionsOfLinks(scene.departed), scene, metadata.at),
    ],
  }
}
