import { z } from 'zod'
import { sql, type Queries } from '../../application/ports/database.js'
import type { ErasureQueries } from '../../application/ports/queries/erasure-queries.js'
import { accountIdColumn, countRow } from '../columns.js'

const idRow = z.object({ id: accountIdColumn }).transform(({ id }) => id)

/** For accounts.accounts as a. An owner is always a member. */
const ownsGuild = sql.fragment`exists (
  select from members.members m join guilds.guilds g on g.id = m.guild_id
  where m.account_id = a.id and g.owner_id = a.id)`

/** Queries over accounts whose deletion is due. */
export function erasureQueries(database: Queries): ErasureQueries {
  return {
    due: (now, limit) =>
      database.any(sql.type(idRow)`
        select a.id from accounts.accounts a
        where a.deletion_due_at <= ${now} and not ${ownsGuild}
        order by a.deletion_due_at, a.id limit ${limit}`),
    overdueOwners: (now) =>
      database.one(sql.type(countRow)`
        select count(*)::int4 as count from accounts.accounts a
        where a.deletion_due_at <= ${now} and ${ownsGuild}`),
  }
}
