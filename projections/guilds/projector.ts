import type { GuildEvent } from '../../domain/guild/events.js'
import { initialSettings } from '../../domain/guild/state.js'
import { patch, projection, put, remove, removeWhere } from '../runner/projection.js'
import { settingsColumns } from './settings-columns.js'

/** Guilds that exist, with their roles and channels. */
export const guildsProjection = projection<GuildEvent>({
  name: 'guilds',
  version: 1,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { guilds: ['id'], roles: ['guild_id', 'id'], channels: ['guild_id', 'id'] },
  on: {
    GuildCreated: ({ data }) => [
      put('guilds', {
        id: data.guildId,
        name: data.name,
        owner_id: data.ownerId,
        features: data.features,
        created_at: data.createdAt,
        ...settingsColumns(initialSettings),
      }),
    ],
    RoleCreated: ({ data: { guildId, role } }) => [
      put('roles', { guild_id: guildId, id: role.id, position: role.position, body: { ...role } }),
    ],
    ChannelCreated: ({ data: { guildId, channel } }) => [
      put('channels', { guild_id: guildId, id: channel.id, position: channel.position, body: { ...channel } }),
    ],
    GuildSettingsChanged: ({ data }) => [patch('guilds', { id: data.guildId }, settingsColumns(data.settings))],
    GuildFeaturesChanged: ({ data }) => [patch('guilds', { id: data.guildId }, { features: data.features })],
    GuildDeleted: ({ data }) => [
      remove('guilds', { id: data.guildId }),
      removeWhere('roles', { guild_id: data.guildId }),
      removeWhere('channels', { guild_id: data.guildId }),
    ],
  },
})
