import type { Act } from '../acts/act.ts'
import type { Guild } from './guild-list.tsx'

/** What can be done to a guild. Which of it the reader may do, the buttons ask. */
export function actsOnGuild(guild: Guild): readonly Act[] {
  const path = { guild_id: guild.id }
  return [
    { id: 'updateAdminGuild', path, values: { body: guild } },
    { id: 'updateGuildFeatures', path },
    { id: 'setGuildOwner', path },
    { id: 'setGuildCustomInviteURL', path, values: { body: { code: guild.vanity_url_code } } },
    ...(guild.vanity_url_code === null ? [] : [{ id: 'removeGuildCustomInviteURL', path } as const]),
    { id: 'addGuildMember', path },
    { id: 'banGuildMember', path },
    { id: 'triggerGuildArchive', path },
    { id: 'deleteAdminGuild', path },
  ]
}

/** What can be done to a member of a guild. */
export function actsOnMember(guildId: string, userId: string): readonly Act[] {
  const path = { guild_id: guildId, user_id: userId }
  return [
    { id: 'kickGuildMember', path },
    { id: 'banGuildMember', path },
  ]
}

/** What can be done about a ban. */
export function actsOnBan(guildId: string, userId: string): readonly Act[] {
  return [{ id: 'unbanGuildMember', path: { guild_id: guildId, user_id: userId } }]
}
