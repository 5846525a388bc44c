import { z } from 'zod'
import { sql, type Queries } from '../../application/ports/database.js'
import type { AuditLogPage, AuditLogQueries } from '../../application/ports/queries/audit-log-queries.js'
import type { AuditActionType } from '../../domain/audit/audit-actions.js'
import type { AuditChange, AuditOptions, GuildAuditEntry } from '../../domain/audit/guild-audit-entry.js'
import type { EntryId, GuildId } from '../../domain/ids/ids.js'
import { accountIdColumn, entryIdColumn, guildIdColumn } from '../columns.js'

const entryRow = z
  .object({
    guild_id: guildIdColumn,
    id: entryIdColumn,
    action_type: z.custom<AuditActionType>(Number.isInteger),
    user_id: accountIdColumn.nullable(),
    target_id: z.string().nullable(),
    reason: z.string().nullable(),
    options: z.custom<AuditOptions>(),
    changes: z.custom<readonly AuditChange[]>(Array.isArray),
  })
  .transform((row): GuildAuditEntry => ({
    id: row.id,
    guildId: row.guild_id,
    actionType: row.action_type,
    userId: row.user_id,
    targetId: row.target_id,
    reason: row.reason,
    options: row.options,
    changes: row.changes,
  }))

/** The queries over the audit logs of guilds. */
export function auditLogQueries(database: Queries): AuditLogQueries {
  return {
    page: async (guild, page, oldest) => {
      const rows = await database.any(pageOf(guild, page, oldest))
      return page.after === undefined ? rows : rows.toReversed()
    },
  }
}

/** With after, the entries next to the cursor are those wanted, so they are read oldest first. */
function pageOf(guild: GuildId, { before, after, actorId, actionType, limit }: AuditLogPage, oldest: EntryId) {
  const conditions = [
    sql.fragment`guild_id = ${guild} and id >= ${oldest}`,
    ...(before === undefined ? [] : [sql.fragment`id < ${before}`]),
    ...(after === undefined ? [] : [sql.fragment`id > ${after}`]),
    ...(actorId === undefined ? [] : [sql.fragment`user_id = ${actorId}`]),
    ...(actionType === undefined ? [] : [sql.fragment`action_type = ${actionType}`]),
  ]
  const direction = after === undefined ? sql.fragment`desc` : sql.fragment`asc`
  return sql.type(entryRow)`
    select guild_id, id, action_type, user_id, target_id, reason, options, changes from guild_audit_log.entries
    where ${sql.join(conditions, sql.fragment` and `)} order by id ${direction} limit ${limit}`
}
