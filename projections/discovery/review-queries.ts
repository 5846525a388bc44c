import type { Queries } from '../../application/ports/database.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type { DecisionKind, DecisionRecord, ReviewQueries } from '../../application/ports/queries/review-queries.ts'
import type { GuildFacts } from '../../domain/discovery-application/events.ts'
import type { DirectoryListing } from '../../domain/discovery-application/listing.ts'
import type { GuildId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { summaryColumns } from '../guilds/guild-rows.ts'
import { countColumn } from '../members/member-rows.ts'
import { applicationColumns, isWhole, joinedGuilds, withGuildRow, withGuilds } from './application-rows.ts'

interface DecisionColumns {
  readonly guild_id: GuildId
  readonly kind: DecisionKind
  readonly reason: string | null
  readonly listing: DirectoryListing | null
  readonly guild: GuildFacts | null
  readonly decided_at: Timestamp
}

const decisionRow = rowOf((row: DecisionColumns): DecisionRecord => ({
  guildId: row.guild_id,
  kind: row.kind,
  reason: row.reason,
  listing: row.listing,
  guild: row.guild,
  decidedAt: row.decided_at,
}))

/** Queries over the discovery read model for those who review applications. */
export function reviewQueries(database: Queries): ReviewQueries {
  return {
    queue(limit, after) {
      const isAfter = after
        ? sql.fragment`(a.applied_at, a.guild_id) > (${after.appliedAt}::timestamptz, ${after.guildId}::int8)`
        : sql.fragment`true`
      return database.any(sql.type(withGuildRow)`
        select ${applicationColumns}, ${summaryColumns}, ${countColumn} from ${withGuilds}
        where a.status = 'pending' and ${isAfter} and ${isWhole} order by a.applied_at, a.guild_id limit ${limit}`)
    },
    decisionsOn: (guilds) =>
      database.any(sql.type(decisionRow)`
        select d.guild_id, d.kind, d.reason, d.listing, d.guild, d.decided_at from discovery.decisions d
        where d.guild_id = any(${sql.array(guilds, 'int8')}) order by d.guild_id, d.position`),
    // The page is cut before its guilds are joined: otherwise Postgres merges all guilds up to the page, for each page anew.
    listings: (limit, after) =>
      database.any(sql.type(withGuildRow)`
        select ${applicationColumns}, ${summaryColumns}, ${countColumn}
        from (
          select * from discovery.applications a
          where a.status = 'approved' and a.guild_id > ${after ?? '0'}::int8 and ${isWhole} order by a.guild_id limit ${limit}
        ) a ${joinedGuilds}
        order by a.guild_id`),
  }
}
