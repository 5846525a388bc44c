import type { Known } from '../../visibility/known-event.ts'
import { same } from '../dispatch.ts'
import { telling, type Telling } from '../telling.ts'
import { sessionsOfLinks, userSettingsUpdates } from '../accounts/user-settings-update.ts'

/** A guild was deleted: GUILD_DELETE to every session in it, whatever its state. */
export function guildDeleted({ data, metadata }: Known<'GuildDeleted'>): Telling {
  const { guildId } = data
  return telling(['GUILD_DELETE', 'USER_SETTINGS_UPDATE'], (scene) => [
    {
      t: 'GUILD_DELETE',
      guildId,
      audience: { kind: 'sessions', sessions: sessionsOfLinks(scene.departed) },
      body: same({ id: guildId, guild_id: guildId }),
    },
    ...userSettingsUpdates(sessionsOfLinks(scene.departed), scene, metadata.at),
  ])
}
