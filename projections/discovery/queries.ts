import type { Queries } from '../../application/ports/database.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type { DiscoveryQueries } from '../../application/ports/queries/discovery-queries.ts'
import type { GuildFacts } from '../../domain/discovery-application/events.ts'
import { countRow } from '../columns.ts'
import { summaryColumns, type CountColumns, type SummaryColumns } from '../guilds/guild-rows.ts'
import { countColumn } from '../members/member-rows.ts'
import { applicationColumns, applicationRow, isWhole, withGuildRow, withGuilds } from './application-rows.ts'

const factsRow = rowOf(
  ({ name, icon, member_count: memberCount }: Pick<SummaryColumns, 'name' | 'icon'> & CountColumns): GuildFacts => ({
    name,
    icon,
    memberCount,
  }),
)

/** Queries over the discovery read model, joined with the guilds read model. */
export function discoveryQueries(database: Queries): DiscoveryQueries {
  return {
    find: (guild) =>
      database.maybeOne(sql.type(applicationRow)`
        select ${applicationColumns} from discovery.applications a where a.guild_id = ${guild}`),
    ofStatus: (status) =>
      database.any(sql.type(withGuildRow)`
        select ${applicationColumns}, ${summaryColumns}, ${countColumn} from ${withGuilds}
        where a.status = ${status} and ${isWhole}`),
    ofCategory: (categoryType, { limit, offset }) =>
      database.any(sql.type(withGuildRow)`
        select ${applicationColumns}, ${summaryColumns}, ${countColumn} from ${withGuilds}
        where a.status = 'approved' and a.category_type = ${categoryType} and ${isWhole}
        order by coalesce(n.member_count, 0) desc, a.guild_id limit ${limit} offset ${offset}`),
    countOf(categoryType) {
      const ofCategory =
        categoryType === undefined ? sql.fragment`true` : sql.fragment`a.category_type = ${categoryType}`
      return database.one(sql.type(countRow)`
        select count(*)::int4 as count from discovery.applications a
        where a.status = 'approved' and ${ofCategory} and ${isWhole}`)
    },
    guildFacts: (guild) =>
      database.maybeOne(sql.type(factsRow)`
        select g.name, g.icon, ${countColumn} from guilds.guilds g
        left join members.member_counts n on n.guild_id = g.id where g.id = ${guild}`),
  }
}
