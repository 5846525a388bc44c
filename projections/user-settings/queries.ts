import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type {
  UserGuildSettingsRecord,
  UserSettingsQueries,
} from '../../application/ports/queries/user-settings-queries.ts'
import { guildId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { camelCased } from '../../domain/text/letter-case.ts'
import { initialGuildSettings } from '../../domain/user-guild-settings/state.ts'
import type { ChosenSettings } from '../../domain/user-settings/settings.ts'
import { accountIdColumn } from '../columns.ts'

/** A row as JSON, without null members: those were not chosen. */
const chosenColumns = z
  .record(z.string(), z.unknown())
  .transform((row) => camelCased(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))))

/** Values that the projector wrote are branded, not validated again. */
export const chosenRow = chosenColumns.transform(({ accountId: _, ...chosen }) => chosen as ChosenSettings)

/** An account's notification settings for a guild, from a row as JSON with the guild's id as text. */
export const guildSettingsRow = z
  .looseObject({ guild_id: z.string(), version: z.int() })
  .transform(({ account_id: _, guild_id: guild, version, ...columns }): UserGuildSettingsRecord => ({
    guildId: guild === '0' ? null : guildId(snowflake(guild)),
    settings: { ...initialGuildSettings, ...chosenColumns.parse(columns) },
    version,
  }))

/** An account's chosen settings as JSON, in a query that calls the table user_settings.user_settings `u`. */
export const chosenAsJson = sql.fragment`to_jsonb(u)`

const guildSettingsAsJson = sql.fragment`to_jsonb(s) || jsonb_build_object('guild_id', s.guild_id::text)`

/**
 * The notification settings of the account in accounts.accounts a, for its private channels and its current guilds, as a JSON
 * array `guild_settings`. Settings for other guilds stay stored, and are sent again after a return.
 */
export const guildSettingsList = sql.fragment`
  select coalesce(json_agg(${guildSettingsAsJson} order by s.guild_id), '[]') as guild_settings
  from user_settings.user_guild_settings s
  where s.account_id = a.id and (s.guild_id = 0 or exists (
    select from members.members m where m.guild_id = s.guild_id and m.account_id = s.account_id
  ))`

const foundRow = z.object({ chosen: chosenRow }).transform(({ chosen }) => chosen)
const foundOfManyRow = z
  .object({ account_id: accountIdColumn, chosen: chosenRow })
  .transform(({ account_id: id, chosen }) => [id, chosen] as const)
const foundForGuildRow = z.object({ settings: guildSettingsRow }).transform(({ settings }) => settings)

/** Queries over the user settings read model. */
export function userSettingsQueries(database: Queries): UserSettingsQueries {
  return {
    find: (account) =>
      database.maybeOne(sql.type(foundRow)`
        select ${chosenAsJson} as chosen from user_settings.user_settings u where u.account_id = ${account}`),
    findMany: async (accounts) =>
      new Map(
        await database.any(sql.type(foundOfManyRow)`
          select u.account_id, ${chosenAsJson} as chosen from user_settings.user_settings u
          where u.account_id = any(${sql.array([...accounts], 'int8')})`),
      ),
    findForGuild: (account, guild) =>
      database.maybeOne(sql.type(foundForGuildRow)`
        select ${guildSettingsAsJson} as settings from user_settings.user_guild_settings s
        where s.account_id = ${account} and s.guild_id = ${guild ?? '0'}`),
  }
}
