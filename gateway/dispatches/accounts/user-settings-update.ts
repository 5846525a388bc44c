import { userGuildSettingsObject } from '../../../application/wire-objects/identity/user-guild-settings-object.ts'
import { userSettingsObject } from '../../../application/wire-objects/identity/user-settings-object.ts'
import type { UserGuildSettingsRecord } from '../../../application/ports/queries/user-settings-queries.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { initialGuildSettings } from '../../../domain/user-guild-settings/state.ts'
import type { Session } from '../../sessions/session.ts'
import { byAccount, same, type Dispatch } from '../dispatch.ts'
import type { Scene } from '../telling.ts'

/**
 * USER_SETTINGS_UPDATE to sessions whose account changed its settings, or whose folder layout an event changed. Bots
 * have no settings. `now`: the time of the event.
 */
export function userSettingsUpdates(
  sessions: readonly Session[],
  scene: Pick<Scene, 'staysOf'>,
  now: Timestamp,
): readonly Dispatch<'USER_SETTINGS_UPDATE'>[] {
  const people = sessions.filter(({ account }) => !account.bot)
  return byAccount(people, (session) => session).map((group): Dispatch<'USER_SETTINGS_UPDATE'> => {
    const [{ account, settings }] = group
    const stays = scene.staysOf(group[0])
    return {
      t: 'USER_SETTINGS_UPDATE',
      guildId: null,
      audience: { kind: 'sessions', sessions: group },
      body: same(userSettingsObject({ account, chosen: settings, stays }, now)),
    }
  })
}

/** USER_GUILD_SETTINGS_UPDATE to sessions of an account; without a record it has chosen nothing for the guild. */
export function userGuildSettingsUpdate(
  sessions: readonly Session[],
  guildId: GuildId | null,
  record: UserGuildSettingsRecord = { guildId, settings: initialGuildSettings, version: 0 },
): Dispatch<'USER_GUILD_SETTINGS_UPDATE'> {
  return {
    t: 'USER_GUILD_SETTINGS_UPDATE',
    guildId: null,
    audience: { kind: 'sessions', sessions },
    body: same(userGuildSettingsObject(record)),
  }
}

/** The sessions of links. */
export function sessionsOfLinks(links: readonly { readonly session: Session }[]): readonly Session[] {
  return links.map(({ session }) => session)
}
