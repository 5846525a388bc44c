import type { Known } from '../events/known-event.js'
import { same, type Telling } from './dispatch.js'
import { userSettingsUpdates } from './user-settings-update.js'

/** A guild is no more: GUILD_DELETE to every session that was in it, whatever its state (contract part 1, Delete guild). */
export function guildDeleted({ data }: Known<'GuildDeleted'>): Telling {
  const { guildId } = data
  return {
    accounts: [],
    dispatches: (scene) => [
      {
        t: 'GUILD_DELETE',
        guildId,
        audience: { kind: 'sessions', sessions: scene.departed.map(({ session }) => session) },
        body: same({ id: guildId, guild_id: guildId }),
      },
      ...userSettingsUpdates(scene.departed, scene),
    ],
  }
}
