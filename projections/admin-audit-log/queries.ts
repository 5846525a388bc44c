import { z } from 'zod'
import type { Piece, Queries } from '../../application/ports/database.ts'
import { plannedForItsValues } from '../../application/sql/planned-for-its-values.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type {
  AdminAuditQueries,
  AdminAuditRecord,
  AdminAuditSearch,
} from '../../application/ports/queries/admin-audit-queries.ts'
import type { EntryId } from '../../domain/ids/ids.ts'
import { dryRun, readingActions } from '../../domain/admin-audit/access-of.ts'
import { accountIdColumn, entryIdColumn, instantColumn } from '../columns.ts'
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

const foundRow = rowOf((row: { readonly ids: readonly EntryId[]; readonly total_count: number }): typeof row => row)

const columns = sql.fragment`e.id, admin_id, target_type, target_id, action, coalesce(p.reason, e.reason) as reason,
  e.metadata || coalesce(p.metadata, '{}') as metadata, created_at`

const impersonalColumns = sql.fragment`e.id, admin_id, target_type, target_id, action, e.reason, e.metadata, created_at`

const shown = sql.fragment`admin_audit_log.entries e left join admin_audit_log.personal_parts p on p.id = e.id`

/** Queries over the admin audit log. */
export function adminAuditQueries(database: Queries): AdminAuditQueries {
  return {
    find: (entry) => database.maybeOne(sql.type(entryRow)`select ${columns} from ${shown} where e.id = ${entry}`),
    async search(search) {
      const { ids, total_count } = await database.one(plannedForItsValues(foundStatement(search)))
      const entries = await database.any(sql.type(entryRow)`
        select ${search.withoutPersonal === true ? impersonalColumns : columns}
        from unnest(${sql.array([...ids], 'int8')}) with ordinality as found (id, place)
        join admin_audit_log.entries e on e.id = found.id left join admin_audit_log.personal_parts p on p.id = e.id
        order by found.place`)
      return { entries, total_count }
    },
  }
}

/** The ids of a page, in their order, and how many match. What a text matches is found once for both. */
function foundStatement(search: AdminAuditSearch) {
  const { text, limit, offset, order } = search
  const isRanked = order.by === 'relevance' && text !== null
  const way = order.direction === 'asc' ? sql.fragment`asc` : sql.fragment`desc`
  return sql.type(foundRow)`
    with found as ${text === null ? sql.fragment`not materialized` : sql.fragment`materialized`} (
      ${matchesOf(search, isRanked ? rankOf(text, search) : sql.fragment`0`)})
    select (select count(*)::int4 from found) as total_count,
      array(select f.id::text from found f
        order by ${isRanked ? sql.fragment`f.rank ${way}, f.id desc` : sql.fragment`f.id ${way}`}
        limit ${limit} offset ${offset}) as ids`
}

/**
 * The entries that have all words themselves, and those that need their personal part for it: an index finds either, which none
 * does for both together.
 */
function matchesOf(search: AdminAuditSearch, rank: Piece): Piece {
  const patterns = wordsOf(search.text).map((word) => `%${likeText(word.toLowerCase())}%`)
  const others = conditionsOf(search)
  const selected = sql.fragment`select e.id, ${rank} as rank from admin_audit_log.entries e`
  if (patterns.length === 0) return sql.fragment`${selected} where ${others}`
  const allOwn = sql.join(patterns.map(isOwn), sql.fragment` and `)
  const own = sql.fragment`${selected} where ${others} and ${allOwn}`
  if (search.withoutPersonal === true) return own
  const anyPersonal = sql.join(patterns.map(isPersonal), sql.fragment` or `)
  const all = sql.join(
    patterns.map((pattern) => sql.fragment`(${isOwn(pattern)} or ${isPersonal(pattern)})`),
    sql.fragment` and `,
  )
  return sql.fragment`${own} union all
    ${selected} join admin_audit_log.personal_parts p on p.id = e.id
    where ${others} and (${anyPersonal}) and ${all} and not (${allOwn})`
}

const isOwn = (pattern: string): Piece => sql.fragment`e.words like ${pattern}`
const isPersonal = (pattern: string): Piece => sql.fragment`p.words like ${pattern}`

function conditionsOf(search: AdminAuditSearch) {
  const { adminId, targetType, targetId, action, access, since, until, before } = search
  const conditions = [
    ...(adminId === null ? [] : [sql.fragment`admin_id = ${adminId}`]),
    ...(targetType === null ? [] : [sql.fragment`target_type = ${targetType}`]),
    ...(targetId === null ? [] : [sql.fragment`target_id = ${targetId}`]),
    ...(access === null ? [] : [sql.fragment`(action like any(${reading}) = ${access === 'read'})`]),
    ...(action === null ? [] : [sql.fragment`action = ${action}`]),
    ...(since === null ? [] : [sql.fragment`created_at >= ${since}`]),
    ...(until === null ? [] : [sql.fragment`created_at < ${until}`]),
    ...(before === null ? [] : [sql.fragment`e.id < ${before}`]),
  ]
  return conditions.length === 0 ? sql.fragment`true` : sql.join(conditions, sql.fragment` and `)
}

const reading = sql.array([...readingActions.map((prefix) => `${likeText(prefix)}%`), `%${likeText(dryRun)}`], 'text')

/** How well an entry matches the whole text. */
function rankOf(text: string, { withoutPersonal }: AdminAuditSearch): Piece {
  const whole = text.trim()
  const pattern = `%${likeText(whole)}%`
  const personal = sql.fragment`exists (
    select from admin_audit_log.personal_parts r where r.id = e.id and r.reason ilike ${pattern})`
  return sql.fragment`case when lower(action) = ${whole.toLowerCase()} or target_id = ${whole} then 2
    when action ilike ${pattern} or e.reason ilike ${pattern}
      or ${withoutPersonal === true ? sql.fragment`false` : personal} then 1
    else 0 end`
}

const wordsOf = (text: string | null): readonly string[] => (text ?? '').split(/\s+/).filter((word) => word !== '')
