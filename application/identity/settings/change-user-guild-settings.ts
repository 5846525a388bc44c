import type { GuildId } from '../../../domain/ids/ids.ts'
import { userGuildSettingsId, type UserGuildSettings } from '../../../domain/user-guild-settings/state.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import {
  userGuildSettingsObject,
  type UserGuildSettingsObject,
} from '../../wire-objects/identity/user-guild-settings-object.ts'
import type { Ports } from '../../ports.ts'

/**
 * Changes the caller's notification settings for a guild, or for its private channels if the guild is null, and gives
 * all of them. The account's sessions are notified even if nothing changes. The caller need not be a member. Refuses
 * with UNKNOWN_GUILD if the guild, and so its settings, were deleted.
 */
export function changeUserGuildSettings({ aggregates, reminders }: Pick<Ports, 'aggregates' | 'reminders'>) {
  return async (
    { account, context }: Caller,
    guildId: GuildId | null,
    changes: Partial<UserGuildSettings>,
  ): Promise<UserGuildSettingsObject> => {
    if (guildId !== null && (await aggregates.guild.load(guildId)).state.status === 'deleted') reject('UNKNOWN_GUILD')
    const change = { type: 'ChangeUserGuildSettings', accountId: account.id, forGuild: guildId, changes } as const
    const { state, changed, repeated } = await aggregates.userGuildSettings.execute(
      userGuildSettingsId(account.id, guildId),
      change,
      context,
    )
    if (!changed && !repeated) reminders.remind({ accountId: account.id, forGuild: guildId })
    return userGuildSettingsObject({ guildId, settings: state.settings, version: state.version })
  }
}
