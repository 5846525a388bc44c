import type { AccountEvent } from '../../domain/account/events.ts'
import type { GuildEvent } from '../../domain/guild/events.ts'
import { snakeCased } from '../../domain/text/letter-case.ts'
import type { UserGuildSettingsEvent } from '../../domain/user-guild-settings/events.ts'
import type { UserSettingsChanged, UserSettingsEvent } from '../../domain/user-settings/events.ts'
import { add, patch, projection, put, removeWhere, type ColumnValue, type Row } from '../runner/projection.ts'

/** The settings of accounts, their own and those for each guild. */
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
    // Removes all settings, sealed or not.
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

/** Each member has a column of the same name. */
function columnsOf(members: Readonly<Record<string, unknown>>): Row {
  return Object.fromEntries(Object.entries(snakeCased(members)).map(([name, value]) => [name, asColumn(value)]))
}

/** A value in an event is JSON, which a column can always hold. */
const asColumn = (value: unknown): ColumnValue => value as ColumnValue
