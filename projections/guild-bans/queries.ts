import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type {
  GuildBanQueries,
  GuildBanRecord,
  JoinedRecord,
  KeptOutBy,
  Newcomer,
} from '../../application/ports/queries/guild-ban-queries.ts'
import type { Position } from '../../domain/kernel/position.ts'
import type { GuildId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { networkOf, oneClient } from '../../domain/network/network-of.ts'
import { accountIdColumn, countRow, guildIdColumn, instantColumn } from '../columns.ts'
import { countColumn } from '../members/member-rows.ts'

/** `ofGuild` gives this many bans at most where no page is asked for. */
const listedBans_max = 10_000

const banRow = z
  .object({
    guild_id: guildIdColumn,
    account_id: accountIdColumn,
    moderator_id: accountIdColumn,
    reason: z.string().nullable(),
    banned_at: instantColumn,
    expires_at: instantColumn.nullable(),
  })
  .transform((row): GuildBanRecord => ({
    guildId: row.guild_id,
    accountId: row.account_id,
    moderatorId: row.moderator_id,
    reason: row.reason,
    bannedAt: row.banned_at,
    expiresAt: row.expires_at,
  }))

const byRow = rowOf((row: { readonly by: KeptOutBy }) => row.by)

const joinedRow = rowOf(
  (row: {
    readonly by: NonNullable<KeptOutBy> | null
    readonly hides_muted: boolean | null
    readonly restricts: boolean | null
    readonly member_count: number
  }): JoinedRecord => ({
    keptOutBy: row.by ?? undefined,
    chosen: { hidesMutedChannels: row.hides_muted === true, restrictsGuild: row.restricts === true },
    memberCount: row.member_count,
  }),
)

/**
 * What keeps an account out of a guild, as at most one row with the column `by`: `person` for a ban by account or
 * address, which takes precedence, otherwise `network`.
 */
export function keepingOut(guild: GuildId, { accountId, email, ip }: Newcomer, now: Timestamp, before?: Position) {
  const address = email?.toLowerCase() ?? null
  const network = ip === null ? null : networkOf(ip, oneClient)
  const latest = before === undefined ? null : before.toString()
  return sql.fragment`
    select kind as by from (
      select 'person' as kind, 1 as turn, position, expires_at from guild_bans.bans
      where guild_id = ${guild} and account_id = ${accountId}
      union all
      select case when p.email = ${address} then 'person' else 'network' end,
        case when p.email = ${address} then 1 else 2 end, b.position, b.expires_at
      from guild_bans.ban_persons p
      join guild_bans.bans b on b.guild_id = p.guild_id and b.account_id = p.account_id
      where p.guild_id = ${guild} and (p.email = ${address} or p.network = ${network})
    ) as bans
    where (expires_at is null or expires_at > ${now})
      and (${latest}::int8 is null or position < ${latest}::int8)
    order by turn limit 1`
}

/** Queries over the guild_bans read model. */
export function guildBanQueries(database: Queries): GuildBanQueries {
  return {
    ofGuild: (guild, now, { after, limit } = { limit: listedBans_max }) =>
      database.any(sql.type(banRow)`
        select b.guild_id, b.account_id, b.moderator_id, p.reason, b.banned_at, b.expires_at
        from guild_bans.bans b
        left join guild_bans.ban_persons p on p.guild_id = b.guild_id and p.account_id = b.account_id
        where b.guild_id = ${guild} and b.account_id > ${after ?? '0'} and (b.expires_at is null or b.expires_at > ${now})
        order by b.account_id limit ${limit}`),
    find: async (guild, account, now) =>
      (await database.maybeOne(sql.type(banRow)`
        select b.guild_id, b.account_id, b.moderator_id, p.reason, b.banned_at, b.expires_at
        from guild_bans.bans b
        left join guild_bans.ban_persons p on p.guild_id = b.guild_id and p.account_id = b.account_id
        where b.guild_id = ${guild} and b.account_id = ${account}
          and (b.expires_at is null or b.expires_at > ${now})`)) ?? undefined,
    countOf: (guild, now) =>
      database.one(sql.type(countRow)`
        select count(*)::int4 as count from guild_bans.bans b
        where b.guild_id = ${guild} and (b.expires_at is null or b.expires_at > ${now})`),
    keepingOut: async (guild, newcomer, now) =>
      (await database.maybeOne(sql.type(byRow)`${keepingOut(guild, newcomer, now)}`)) ?? undefined,
    ofJoined: (guild, newcomer, now, before) =>
      database.one(sql.type(joinedRow)`
        select b.by, u.default_hide_muted_channels as hides_muted,
          u.default_guilds_restricted or u.bot_default_guilds_restricted as restricts, ${countColumn}
        from (values (true)) as one
        left join (${keepingOut(guild, newcomer, now, before)}) b on true
        left join user_settings.user_settings u on u.account_id = ${newcomer.accountId}
        left join members.member_counts n on n.guild_id = ${guild}`),
  }
}
