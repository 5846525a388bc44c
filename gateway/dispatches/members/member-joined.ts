import { memberObject } from '../../../application/wire-objects/communities/member-objects.js'
import type { Known } from '../../events/known-event.js'
import { memberAtFirst } from '../../../domain/membership/membership.js'
import { same, type Dispatch, type Telling } from '../dispatch.js'
import { guildCreates } from '../guilds/guild-create.js'
import { sessionsOfLinks, userGuildSettingsUpdate, userSettingsUpdates } from '../accounts/user-settings-update.js'

/**
 * A member joined: GUILD_MEMBER_ADD to the guild's other sessions, then GUILD_CREATE and USER_SETTINGS_UPDATE to the joiner's own
 * (reference gateway 2.3, order of events at guild admission). They also get USER_GUILD_SETTINGS_UPDATE if the joiner chose
 * settings for the guild before: these stay stored when an account leaves (contract part 1, Leave guild), but no READY contained
 * them meanwhile.
 */
export function memberJoined(event: Known<'MemberJoined'>): Telling {
  const { guildId, accountId } = event.data
  return {
    accounts: [accountId],
    guildSettingsOf: { accountId, forGuild: guildId },
    dispatches: (scene) => {
      const added: Dispatch = {
        t: 'GUILD_MEMBER_ADD',
        guildId,
        audience: { kind: 'guild', except: accountId },
        body: same({
          ...memberObject(memberAtFirst(event.data), scene.account(accountId), scene.now),
          guild_id: guildId,
        }),
      }
      const arrived = sessionsOfLinks(scene.arrived)
      const updates = userSettingsUpdates(arrived, scene, event.metadata.at)
      const chosen = scene.guildSettings ? [userGuildSettingsUpdate(arrived, guildId, scene.guildSettings)] : []
      return [added, ...guildCreates(scene.arrived, scene), ...updates, ...chosen]
    },
  }
}
