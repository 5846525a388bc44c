import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type {
  AdminAuditQueries,
  AdminAuditRecord,
  AdminAuditSearch,
} from '../../application/ports/queries/admin-audit-queries.ts'
import { dryRun, readingActions } from '../../domain/admin-audit/access-of.ts'
import { accountIdColumn, countRow, entryIdColumn, instantColumn } from '../columns.ts'
import { likeText } from '../like-pattern.ts'

const entryRow = z
  .object({
    id: entryIdColumn,
    admin_id: accountIdColumn,
    target_type: z.string(),
    target_id: z.string(),
    action: z.string(),
    reason: z.string().nullable(),
    metadata: z.record(z.string(), z.string()),
    created_at: instantColumn,
  })
  .transform((row): AdminAuditRecord => ({
    id: row.id,
    adminId: row.admin_id,
    targetType: row.target_type,
    targetId: row.target_id,
    action: row.action,
    reason: row.reason,
    metadata: row.metadata,
    createdAt: row.created_at,
  }))

const columns = sql.fragment`e.id, admin_id, target_type, target_id, action, coalesce(p.reason, e.reason) as reason,
  e.metadata || coalesce(p.metadata, '{}') as metadata, created_at`

const impersonalColumns = sql.fragment`e.id, admin_id, target_type, target_id, action, e.reason, e.metadata, created_at`

const shown = sql.fragment`admin_audit_log.entries e left join admin_audit_log.personal_parts p on p.id = e.id`

/** Queries over the admin audit log. */
export function adminAuditQueries(database: Queries): AdminAuditQueries {
  return {
    find: (entry) => database.maybeOne(sql.type(entryRow)`select ${columns} from ${shown} where e.id = ${entry}`),
    async search(search) {
      const matching = conditionsOf(search)
      const { limit, offset, withoutPersonal } = search
      const entries = await database.any(sql.type(entryRow)`
        select ${withoutPersonal === true ? impersonalColumns : columns} from ${shown} where ${matching}
        order by ${orderOf(search)} limit ${limit} offset ${offset}`)
      const total = await database.one(sql.type(countRow)`
        select count(*)::int4 as count from ${shown} where ${matching}`)
      return { entries, total_count: total }
    },
  }
}

function conditionsOf({ text, adminId, targetType, targetId, action, access, ...range }: AdminAuditSearch) {
  const { since, until, before } = range
  const conditions = [
    ...(adminId === null ? [] : [sql.fragment`admin_id = ${adminId}`]),
    ...(targetType === null ? [] : [sql.fragment`target_type = ${targetType}`]),
    ...(targetId === null ? [] : [sql.fragment`target_id = ${targetId}`]),
    ...(access === null ? [] : [sql.fragment`(action like any(${reading}) = ${access === 'read'})`]),
    ...(action === null ? [] : [sql.fragment`action = ${action}`]),
    ...(since === null ? [] : [sql.fragment`created_at >= ${since}`]),
    ...(until === null ? [] : [sql.fragment`created_at < ${until}`]),
    ...(before === null ? [] : [sql.fragment`e.id < ${before}`]),
    ...wordsOf(text).map((word) => hasWord(word)),
  ]
  return conditions.length === 0 ? sql.fragment`true` : sql.join(conditions, sql.fragment` and `)
}

const reading = sql.array([...readingActions.map((prefix) => `${likeText(prefix)}%`), `%${likeText(dryRun)}`], 'text')

function hasWord(word: string) {
  const pattern = `%${likeText(word)}%`
  return sql.fragment`(action ilike ${pattern} or target_type ilike ${pattern} or target_id like ${pattern}
    or coalesce(p.reason, e.reason) ilike ${pattern}
    or exists (select from jsonb_each_text(e.metadata || coalesce(p.metadata, '{}')) as member
      where member.value ilike ${pattern}))`
}

function orderOf({ text, order: { by, direction } }: AdminAuditSearch) {
  const way = direction === 'asc' ? sql.fragment`asc` : sql.fragment`desc`
  if (by === 'created_at' || text === null) return sql.fragment`e.id ${way}`
  const pattern = `%${likeText(text.trim())}%`
  return sql.fragment`(case when lower(action) = ${text.trim().toLowerCase()} or target_id = ${text.trim()} then 2
    when action ilike ${pattern} or coalesce(p.reason, e.reason) ilike ${pattern} then 1 else 0 end) ${way}, e.id desc`
}

const wordsOf = (text: string | null): readonly string[] => (text ?? '').split(/\s+/).filter((word) => word !== '')
