import type { GuildEvent, Modifiable } from '../../domain/guild/events.ts'
import type { Channel } from '../../domain/guild/channel.ts'
import { initialSettings, type Role } from '../../domain/guild/state.ts'
import type { ChannelId, GuildId, RoleId } from '../../domain/ids/ids.ts'
import { patch, projection, put, remove, removeWhere, type RowChange } from '../runner/projection.ts'
import { channelColumns } from './channel-columns.ts'
import { roleColumns } from './role-columns.ts'
import { settingsColumns } from './settings-columns.ts'

/** Existing guilds, with their roles and channels. */
export const guildsProjection = projection<GuildEvent>({
  name: 'guilds',
  answers: 'Guilds with their roles and channels.',
  version: 5,
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
    RoleCreated: ({ data: { guildId, role } }) => [put('roles', { guild_id: guildId, ...roleColumns(role) })],
    RoleChanged: ({ data: { guildId, roleId, after } }) => patchRole(guildId, roleId, after),
    RolesReordered: ({ data: { guildId, roles } }) =>
      roles.flatMap(({ roleId, after }) => patchRole(guildId, roleId, after)),
    RoleDeleted: ({ data: { guildId, role } }) => [remove('roles', { guild_id: guildId, id: role.id })],
    ChannelCreated: ({ data: { guildId, channel } }) => [
      put('channels', { guild_id: guildId, ...channelColumns(channel) }),
    ],
    ChannelChanged: ({ data: { guildId, channelId, after } }) => patchChannel(guildId, channelId, after),
    ChannelOverwritesChanged: ({ data: { guildId, channelId, synced, after: overwrites } }) =>
      [channelId, ...synced].flatMap((id) => patchChannel(guildId, id, { overwrites })),
    ChannelMoved: ({ data: { guildId, channelId, parentId, positions, overwrites } }) => [
      ...positions.flatMap((placed) => patchChannel(guildId, placed.channelId, { position: placed.position })),
      ...patchChannel(guildId, channelId, { parentId, ...(overwrites && { overwrites }) }),
    ],
    ChannelsReordered: ({ data: { guildId, positions, moved } }) => [
      ...positions.flatMap((placed) => patchChannel(guildId, placed.channelId, { position: placed.position })),
      ...moved.flatMap(({ channelId, parentId, overwrites }) =>
        patchChannel(guildId, channelId, { parentId, ...(overwrites && { overwrites }) }),
      ),
    ],
    ChannelNamesNormalised: ({ data: { guildId, names } }) =>
      names.flatMap(({ channelId, name }) => patchChannel(guildId, channelId, { name })),
    ChannelDeleted: ({ data: { guildId, channel, orphans } }) => [
      remove('channels', { guild_id: guildId, id: channel.id }),
      ...orphans.flatMap(({ channelId, position }) => patchChannel(guildId, channelId, { parentId: null, position })),
    ],
    GuildSettingsChanged: ({ data }) => [patch('guilds', { id: data.guildId }, settingsColumns(data.settings))],
    VanityCodeChanged: ({ data: { guildId, after } }) => [
      patch('guilds', { id: guildId }, { vanity_code: after?.code ?? null }),
    ],
    OwnershipTransferred: ({ data }) => [patch('guilds', { id: data.guildId }, { owner_id: data.to })],
    GuildModified: ({ data: { guildId, after } }) => modifiedRow(guildId, after),
    GuildFeaturesChanged: ({ data }) => [patch('guilds', { id: data.guildId }, { features: data.features })],
    GuildDeleted: ({ data }) => [
      remove('guilds', { id: data.guildId }),
      removeWhere('roles', { guild_id: data.guildId }),
      removeWhere('channels', { guild_id: data.guildId }),
    ],
  },
})

/** A write of a channel without differences changes no column. */
function patchChannel(guildId: GuildId, id: ChannelId, after: Partial<Channel>): readonly RowChange[] {
  const columns = channelColumns(after)
  return Object.keys(columns).length === 0 ? [] : [patch('channels', { guild_id: guildId, id }, columns)]
}

/** A write of a role without differences changes no column. */
function patchRole(guildId: GuildId, id: RoleId, after: Partial<Role>): readonly RowChange[] {
  const columns = roleColumns(after)
  return Object.keys(columns).length === 0 ? [] : [patch('roles', { guild_id: guildId, id }, columns)]
}

/** No row change if nothing differs. */
function modifiedRow(guildId: GuildId, { name, features, ...settings }: Partial<Modifiable>): readonly RowChange[] {
  const columns = {
    ...(name === undefined ? {} : { name }),
    ...(features === undefined ? {} : { features }),
    ...settingsColumns(settings),
  }
  return Object.keys(columns).length === 0 ? [] : [patch('guilds', { id: guildId }, columns)]
}
