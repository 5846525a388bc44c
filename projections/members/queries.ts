import { z } from 'zod'
import { sql, type Queries } from '../../application/ports/database.js'
import type { MemberQueries } from '../../application/ports/queries/member-queries.js'
import { countRow, guildIdColumn } from '../columns.js'
import { memberColumns, memberRow } from './member-rows.js'

const guildIdRow = z.object({ guild_id: guildIdColumn }).transform((row) => row.guild_id)

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
    guildIdsOf: (account) =>
      database.any(sql.type(guildIdRow)`
        select m.guild_id from members.members m join guilds.guilds g on g.id = m.guild_id
        where m.account_id = ${account} order by m.joined_at desc, m.guild_id desc`),
  }
}
