import type { AccountEvent } from '../../domain/account/events.js'
import type { GuildEvent } from '../../domain/guild/events.js'
import { snakeCased } from '../../domain/text/letter-case.js'
import type { UserGuildSettingsEvent } from '../../domain/user-guild-settings/events.js'
import type { UserSettingsChanged, UserSettingsEvent } from '../../domain/user-settings/events.js'
import { add, patch, projection, put, removeWhere, type ColumnValue, type Row } from '../runner/projection.js'

/** What accounts have chosen for themselves, and for each of their guilds. */
export const userSettingsProjection = projection<
  UserSettingsEvent | UserGuildSettingsEvent | AccountEvent | GuildEvent
>({
  name: 'user_settings',
  answers: 'What accounts chose, for themselves and for each guild.',
  version: 1,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { user_settings: ['account_id'], user_guild_settings: ['account_id', 'guild_id'] },
  on: {
    AccountRegistered: ({ data }) => [put('user_settings', { account_id: data.accountId })],
    // Nothing of it stays, sealed or not.
    AccountErasureStarted: ({ data }) => [
      put('user_settings', { account_id: data.accountId }),
      removeWhere('user_guild_settings', { account_id: data.accountId }),
    ],
    UserSettingsChanged: ({ data }) => [patch('user_settings', { account_id: data.accountId }, settingsColumns(data))],
    UserGuildSettingsChanged: ({ data }) => {
      const key = { account_id: data.accountId, guild_id: data.forGuild ?? '0' }
      return [
        add('user_guild_settings', key, { version: 1 }),
        patch('user_guild_settings', key, columnsOf(data.changes)),
      ]
    },
    GuildDeleted: ({ data }) => [removeWhere('user_guild_settings', { guild_id: data.guildId })],
  },
})

function settingsColumns({ accountId: _, changes, ...others }: UserSettingsChanged): Row {
  return columnsOf({ ...changes, ...others })
}

/** Each member stands in the column of its name. */
function columnsOf(members: Readonly<Record<string, unknown>>): Row {
  return Object.fromEntries(Object.entries(snakeCased(members)).map(([name, value]) => [name, asColumn(value)]))
}

/** A value of an event is JSON, all of which a column can hold. */
const asColumn = (value: unknown): ColumnValue => value as ColumnValue
