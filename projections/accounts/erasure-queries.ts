import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { ErasureQueries } from '../../application/ports/queries/erasure-queries.ts'
import { accountIdColumn, countRow, instantColumn } from '../columns.ts'

const idRow = z.object({ id: accountIdColumn }).transform(({ id }) => id)

const dueRow = z
  .object({ id: accountIdColumn, due_at: instantColumn })
  .transform(({ id: accountId, due_at: dueAt }) => ({ accountId, dueAt }))

/** For accounts.accounts as a. An owner is always a member. */
const ownsGuild = sql.fragment`exists (
  select from members.members m join guilds.guilds g on g.id = m.guild_id
  where m.account_id = a.id and g.owner_id = a.id)`

/** Queries over accounts whose deletion, or the deletion of whose messages, is due. */
export function erasureQueries(database: Queries): ErasureQueries {
  return {
    due: (now, limit) =>
      database.any(sql.type(idRow)`
        select a.id from accounts.accounts a
        where a.deletion_due_at <= ${now} and (a.deletion_scheduled_by is not null or not ${ownsGuild})
        order by a.deletion_due_at, a.id limit ${limit}`),
    scheduled: (limit) =>
      database.any(sql.type(idRow)`
        select a.id from accounts.accounts a
        where a.deletion_due_at is not null and not a.is_erased
        order by a.deletion_due_at, a.id limit ${limit}`),
    overdueOwners: (now) =>
      database.one(sql.type(countRow)`
        select count(*)::int4 as count from accounts.accounts a
        where a.deletion_due_at <= ${now} and a.deletion_scheduled_by is null and ${ownsGuild}`),
    dueMessageDeletions: (now, limit) =>
      database.any(sql.type(dueRow)`
        select a.id, a.message_deletion_due_at as due_at from accounts.accounts a
        where a.message_deletion_due_at <= ${now} and not a.is_erased
        order by a.message_deletion_due_at, a.id limit ${limit}`),
  }
}
