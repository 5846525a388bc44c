import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { AuditLogPage, AuditLogQueries } from '../../application/ports/queries/audit-log-queries.ts'
import { auditActions, type AuditActionType } from '../../domain/audit/audit-actions.ts'
import {
  inOrderOfKeys,
  type AuditChange,
  type AuditOptions,
  type GuildAuditEntry,
} from '../../domain/audit/audit-entry.ts'
import { channelActions, threadActions, threadOnlyTypes } from '../../domain/audit/without-threads.ts'
import type { EntryId, GuildId } from '../../domain/ids/ids.ts'
import { accountIdColumn, entryIdColumn, guildIdColumn } from '../columns.ts'

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
    // Those of the entry and of its personal part.
    changes: inOrderOfKeys(row.changes),
  }))

const entryColumns = sql.fragment`
  e.guild_id, e.id, e.action_type, e.user_id, e.target_id, coalesce(e.reason, p.reason) as reason, e.options,
  e.changes || coalesce(p.changes, '[]') as changes`

const impersonalColumns = sql.fragment`
  e.guild_id, e.id, e.action_type, e.user_id, e.target_id, e.reason, e.options, e.changes`

const entriesAndPersons = sql.fragment`
  guild_audit_log.entries e left join guild_audit_log.personal_parts p on p.guild_id = e.guild_id and p.id = e.id`

/** Queries over guilds' audit logs. */
export function auditLogQueries(database: Queries): AuditLogQueries {
  return {
    page: async (guild, page, oldest) => {
      const rows = await database.any(pageOf(guild, page, oldest))
      return page.after === undefined ? rows : rows.toReversed()
    },
    findMany: (guild, ids) =>
      database.any(sql.type(entryRow)`
        select ${entryColumns} from ${entriesAndPersons} where e.guild_id = ${guild} and e.id = any(${sql.array([...ids], 'int8')})`),
  }
}

/** With `after`, the wanted entries are those next to the cursor, so they are read oldest first. */
function pageOf(guild: GuildId, page: AuditLogPage, oldest: EntryId) {
  const { before, after, actorId, actionType, targetId, withoutThreads, withoutPersonal, limit } = page
  const conditions = [
    sql.fragment`e.guild_id = ${guild} and e.id >= ${oldest}`,
    ...(before === undefined ? [] : [sql.fragment`e.id < ${before}`]),
    ...(after === undefined ? [] : [sql.fragment`e.id > ${after}`]),
    ...(actorId === undefined ? [] : [sql.fragment`user_id = ${actorId}`]),
    ...(actionType === undefined ? [] : [sql.fragment`action_type = ${actionType}`]),
    ...(targetId === undefined ? [] : [sql.fragment`e.target_id = ${targetId}`]),
    ...(withoutThreads === true ? [sql.fragment`not ${ofThreads()}`] : []),
  ]
  const direction = after === undefined ? sql.fragment`desc` : sql.fragment`asc`
  const entries =
    withoutPersonal === true
      ? sql.fragment`${impersonalColumns} from guild_audit_log.entries e`
      : sql.fragment`${entryColumns} from ${entriesAndPersons}`
  return sql.type(entryRow)`
    select ${entries}
    where ${sql.join(conditions, sql.fragment` and `)} order by e.id ${direction} limit ${limit}`
}

/**
 * The same rule as `isOfThreads` in the domain. The type of a channel or thread, even of a deleted one, comes from the entry of
 * its creation: a guild's initial layout has no channels that hold only threads. The two actions are written as numbers, as in
 * the index on these entries.
 */
function ofThreads() {
  const ints = (numbers: readonly number[]) => sql.array([...numbers], 'int4')
  const { CHANNEL_CREATE, THREAD_CREATE } = auditActions
  return sql.fragment`case
    when action_type = any(${ints(threadActions)}) then true
    when action_type = any(${ints(channelActions)}) then coalesce((options ->> 'type')::int4 = any(${ints(threadOnlyTypes)}), false)
    else exists (
      select from guild_audit_log.entries made
      where made.guild_id = e.guild_id and made.target_id = e.options ->> 'channel_id' and made.action_type in (10, 110) and (
        made.action_type = ${THREAD_CREATE} or made.action_type = ${CHANNEL_CREATE}
        and (made.options ->> 'type')::int4 = any(${ints(threadOnlyTypes)}))) end`
}
