import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { UserChange, UserChangeLogQueries } from '../../application/ports/queries/user-change-log-queries.ts'
import { loggedFields } from '../../domain/account/logged-fields.ts'
import { accountIdColumn, instantColumn } from '../columns.ts'

const changeRow = z
  .object({
    id: z.string(),
    field: z.enum(loggedFields),
    old_value: z.string().nullable(),
    new_value: z.string().nullable(),
    reason: z.string().nullable(),
    actor_user_id: accountIdColumn.nullable(),
    changed_at: instantColumn,
  })
  .transform((row): UserChange => ({
    id: row.id,
    field: row.field,
    oldValue: row.old_value,
    newValue: row.new_value,
    reason: row.reason,
    actorId: row.actor_user_id,
    changedAt: row.changed_at,
  }))

/** Queries over the changes of accounts. */
export function userChangeLogQueries(database: Queries): UserChangeLogQueries {
  return {
    // An address that is stored again, unverified or verified, has not changed.
    ofAccount: (account, { limit, before }) =>
      database.any(sql.type(changeRow)`
        select position::text as id, field, old_value, value as new_value, reason, actor_user_id, changed_at
        from (
          select *, lag(value) over (partition by field order by position) as old_value
          from user_change_log.field_values where account_id = ${account}
        ) valued
        where not is_first and value is distinct from old_value and (${before}::numeric is null or position < ${before}::numeric)
        order by position desc limit ${limit}`),
  }
}
