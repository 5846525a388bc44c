import { z } from 'zod'
import { sql, type Queries } from '../../application/ports/database.js'
import type { MemberQueries, SharedGuild } from '../../application/ports/queries/member-queries.js'
import { countRow, guildIdColumn } from '../columns.js'
import { countColumn, memberColumns, memberRow } from './member-rows.js'

const sharedGuildRow = z
  .object({ guild_id: guildIdColumn, member_count: z.int() })
  .transform((row): SharedGuild => ({ guildId: row.guild_id, memberCount: row.member_count }))

/** The queries over the members read model. They ask whether the guild exists: nobody is a member of one that doesn't. */
export function memberQueries(database: Queries): MemberQueries {
  return {
    find: (guild, account) =>
      database.maybeOne(sql.type(memberRow)`
        select m.guild_id, ${memberColumns} from members.members m join guilds.guilds g on g.id = m.guild_id
        where m.guild_id = ${guild} and m.account_id = ${account}`),
    countOf: async (guild) => {
      const count = await database.maybeOne(sql.type(countRow)`
        select n.member_count as count from members.member_counts n join guilds.guilds g on g.id = n.guild_id
        where n.guild_id = ${guild}`)
      return count ?? 0
    },
    guildCountOf: (account) =>
      database.one(sql.type(countRow)`
        select count(*)::int4 as count from members.members m join guilds.guilds g on g.id = m.guild_id
        where m.account_id = ${account}`),
    ofAccount: (account) =>
      database.any(sql.type(memberRow)`
        select m.guild_id, ${memberColumns} from members.members m join guilds.guilds g on g.id = m.guild_id
        where m.account_id = ${account} order by m.joined_at desc, m.guild_id desc`),
    sharedGuilds: (one, other) =>
      database.any(sql.type(sharedGuildRow)`
        select m.guild_id, ${countColumn} from members.members m
        join members.members o on o.guild_id = m.guild_id and o.account_id = ${other}
        join guilds.guilds g on g.id = m.guild_id
        left join members.member_counts n on n.guild_id = m.guild_id
        where m.account_id = ${one} order by m.guild_id`),
  }
}
