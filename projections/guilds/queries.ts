import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { GuildPage, GuildQueries, GuildsAtPosition } from '../../application/ports/queries/guild-queries.ts'
import type { Newcomer } from '../../application/ports/queries/guild-ban-queries.ts'
import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import { compareSnowflakes } from '../../domain/ids/snowflake.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { keepingOut } from '../guild-bans/queries.ts'
import { countColumn, guildCount, memberColumns } from '../members/member-rows.ts'
import {
  channelNameRow,
  countAtPositionRow,
  guildAtPositionRow,
  guildColumns,
  guildForNewcomerAtPositionRow,
  guildForNewcomerRow,
  guildForRow,
  guildNameRow,
  guildOfMemberRow,
  guildRow,
  guildSummaryRow,
  summaryColumns,
  memberAtPositionRow,
  newcomerAtPositionRow,
  positionColumn,
} from './guild-rows.ts'

/** Queries over the guilds read model, joined with the members read model. */
export function guildQueries(database: Queries): GuildQueries {
  return {
    find: (guild) =>
      database.maybeOne(sql.type(guildRow)`select ${guildColumns} from guilds.guilds g where g.id = ${guild}`),
    findFor: (guild, account) =>
      database.maybeOne(sql.type(guildForRow)`
        select ${guildColumns}, ${memberColumns}, ${countColumn} from ${guildsFor(account)} where g.id = ${guild}`),
    findByChannel: (channel, account) =>
      database.maybeOne(sql.type(guildForRow)`
        select ${guildColumns}, ${memberColumns}, ${countColumn} from ${guildsFor(account)}
        where g.id = (select c.guild_id from guilds.channels c where c.id = ${channel})`),
    findForNewcomer: (guild, newcomer, now) =>
      database.maybeOne(sql.type(guildForNewcomerRow)`
        select ${guildColumns}, ${memberColumns}, ${countColumn}, ${keptOutColumn(guild, newcomer, now)}
        from ${guildsFor(newcomer.accountId)} where g.id = ${guild}`),
    summariesOf: (guilds) =>
      database.any(sql.type(guildSummaryRow)`
        select ${summaryColumns}, ${countColumn} from guilds.guilds g
        left join members.member_counts n on n.guild_id = g.id
        where g.id = any(${sql.array([...guilds], 'int8')})`),
    namesOf: (guilds) =>
      database.any(sql.type(guildNameRow)`
        select id, name from guilds.guilds where id = any(${sql.array([...guilds], 'int8')})`),
    channelNamesOf: (channels) =>
      database.any(sql.type(channelNameRow)`
        select c.id, c.name, c.type, c.guild_id from guilds.channels c
        where c.id = any(${sql.array([...channels], 'int8')})`),
    ofMember: async (account, page) => {
      const rows = await database.any(pageOf(account, page))
      return rows.toSorted((a, b) => compareSnowflakes(a.guild.id, b.guild.id))
    },
    betweenCursors: async (account, page) => {
      const rows = await database.any(windowOf(account, page))
      return rows.toSorted((a, b) => compareSnowflakes(a.id, b.id))
    },
  }
}

/** The same reads, each with its position. */
export function guildsAtPosition(database: Queries): GuildsAtPosition {
  return {
    findFor: (guild, account) =>
      database.maybeOne(sql.type(guildAtPositionRow)`
        select ${guildColumns}, ${memberColumns}, ${countColumn}, ${positionColumn}
        from ${guildsFor(account)} where g.id = ${guild}`),
    findByChannel: (channel, account) =>
      database.maybeOne(sql.type(guildAtPositionRow)`
        select ${guildColumns}, ${memberColumns}, ${countColumn}, ${positionColumn} from ${guildsFor(account)}
        where g.id = (select c.guild_id from guilds.channels c where c.id = ${channel})`),
    findForNewcomer: (guild, newcomer, now) =>
      database.maybeOne(sql.type(guildForNewcomerAtPositionRow)`
        select ${guildColumns}, ${memberColumns}, ${countColumn}, ${keptOutColumn(guild, newcomer, now)}, ${positionColumn}
        from ${guildsFor(newcomer.accountId)} where g.id = ${guild}`),
    memberOf: (guild, account) =>
      database.one(sql.type(memberAtPositionRow)`
        select wanted.id as guild_id, ${memberColumns}, ${countColumn}, ${positionColumn}
        from ${memberIn(guild, account)}`),
    newcomerOf: (guild, newcomer, now) =>
      database.one(sql.type(newcomerAtPositionRow)`
        select wanted.id as guild_id, ${memberColumns}, ${countColumn}, ${keptOutColumn(guild, newcomer, now)},
          ${guildCount(newcomer.accountId)} as guild_count, ${positionColumn}
        from ${memberIn(guild, newcomer.accountId)}`),
    countOf: (guild) =>
      database.one(sql.type(countAtPositionRow)`
        select ${countColumn}, ${positionColumn} from (select ${guild}::int8 as id) wanted
        left join guilds.guilds g on g.id = wanted.id left join members.member_counts n on n.guild_id = g.id`),
  }
}

const guildsFor = (account: AccountId) => sql.fragment`
  guilds.guilds g
  left join members.members m on m.guild_id = g.id and m.account_id = ${account}
  left join members.member_counts n on n.guild_id = g.id`

/** One row, with null for a membership or a count that does not exist. */
const memberIn = (guild: GuildId, account: AccountId) => sql.fragment`
  (select ${guild}::int8 as id) wanted
  left join (members.members m join guilds.guilds g on g.id = m.guild_id)
    on m.guild_id = wanted.id and m.account_id = ${account}
  left join members.member_counts n on n.guild_id = wanted.id`

/** By what a guild keeps the account of m out, if that is no member. */
const keptOutColumn = (guild: GuildId, newcomer: Newcomer, now: Timestamp) => sql.fragment`
  case when m.account_id is null then (${keepingOut(guild, newcomer, now)}) end as kept_out_by`

/**
 * A cursor counts only if the account is in that guild and the guild exists. The guilds before a cursor are those next to it, so
 * that a client can page back.
 */
function pageOf(account: AccountId, { before, after, limit }: GuildPage) {
  const backwards = after === undefined && before !== undefined
  const beyond = backwards ? sql.fragment`<` : sql.fragment`>`
  const nearest = backwards ? sql.fragment`-g.id` : sql.fragment`g.id`
  return sql.type(guildOfMemberRow)`
    with own as (
      select m.* from members.members m join guilds.guilds g on g.id = m.guild_id where m.account_id = ${account}
    ), cursor as (
      select guild_id from own where guild_id = ${after ?? before ?? null}
    )
    select ${guildColumns}, ${memberColumns}, ${countColumn}
    from own m
    join guilds.guilds g on g.id = m.guild_id
    left join members.member_counts n on n.guild_id = g.id
    left join cursor on true
    where cursor.guild_id is null or g.id ${beyond} cursor.guild_id
    order by case when cursor.guild_id is null then g.id else ${nearest} end limit ${limit}`
}

/** The same rule for each of two cursors: one that names another guild is ignored. */
function windowOf(account: AccountId, { before, after, limit }: GuildPage) {
  return sql.type(guildSummaryRow)`
    with own as (
      select m.guild_id from members.members m join guilds.guilds g on g.id = m.guild_id where m.account_id = ${account}
    ), bounds as (
      select (select guild_id from own where guild_id = ${after ?? null}) as lower_id,
        (select guild_id from own where guild_id = ${before ?? null}) as upper_id
    )
    select ${summaryColumns}, ${countColumn}
    from own
    cross join bounds b
    join guilds.guilds g on g.id = own.guild_id
    left join members.member_counts n on n.guild_id = g.id
    where (b.lower_id is null or g.id > b.lower_id) and (b.upper_id is null or g.id < b.upper_id)
    order by case when b.lower_id is null and b.upper_id is not null then -g.id else g.id end limit ${limit}`
}
