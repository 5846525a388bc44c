import { userSettingsObject } from '../../application/objects/user-settings-object.js'
import { byAccount, same, type Dispatch, type Scene } from './dispatch.js'
import type { Link } from '../visibility/room.js'

/**
 * USER_SETTINGS_UPDATE to the accounts whose folder layout an event changed (contract part 1, Accept invite, Leave guild and
 * Delete guild). Bots have no settings.
 */
export function userSettingsUpdates(links: readonly Link[], scene: Scene): readonly Dispatch[] {
  const people = links.filter(({ session }) => !session.account.bot)
  return byAccount(people, ({ session }) => session).map((group): Dispatch => {
    const [{ session }] = group
    return {
      t: 'USER_SETTINGS_UPDATE',
      guildId: null,
      audience: { kind: 'sessions', sessions: group.map((link) => link.session) },
      body: same(userSettingsObject(session.account, scene.guildIdsOf(session))),
    }
  })
}
