import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { BlocklistQueries, BlocklistRecord } from '../../application/ports/queries/blocklist-queries.ts'
import { blocklists, entryCategories, profileScopes, severities } from '../../domain/blocklist-entry/lists.ts'
import { accountIdColumn, instantColumn } from '../columns.ts'

const entryRow = z
  .object({
    entry_id: z.string(),
    list: z.enum(blocklists),
    scope: z.enum(profileScopes).nullable(),
    value: z.string(),
    category: z.enum(entryCategories),
    severity: z.literal(Object.values(severities)),
    match_subdomains: z.boolean(),
    source_url: z.string().nullable(),
    notes: z.string().nullable(),
    content_type: z.string().nullable(),
    reason: z.string().nullable(),
    added_by: accountIdColumn.nullable(),
    added_at: instantColumn,
  })
  .transform((row): BlocklistRecord => ({
    entryId: row.entry_id,
    list: row.list,
    scope: row.scope,
    value: row.value,
    details: {
      category: row.category,
      severity: row.severity,
      matchSubdomains: row.match_subdomains,
      sourceUrl: row.source_url,
      notes: row.notes,
      contentType: row.content_type,
      reason: row.reason,
    },
    addedBy: row.added_by,
    addedAt: row.added_at,
  }))

const changesRow = z.object({ count: z.coerce.number() }).transform(({ count }) => count)

const columns = sql.fragment`entry_id, list, scope, value, category, severity, match_subdomains, source_url, notes,
  content_type, reason, added_by, added_at`

/** Queries over the blocklists read model. */
export function blocklistQueries(database: Queries): BlocklistQueries {
  return {
    page: ({ list, scope, after, limit }) =>
      database.any(sql.type(entryRow)`
        select ${columns} from blocklists.entries
        where list = ${list} and (${scope}::text is null or scope = ${scope})
          and (${after?.addedAt ?? null}::timestamptz is null
            or added_at < ${after?.addedAt ?? null}
            or (added_at = ${after?.addedAt ?? null} and entry_id > ${after?.entryId ?? null}))
        order by added_at desc, entry_id limit ${limit}`),
    findMany: (entryIds) =>
      database.any(sql.type(entryRow)`
        select ${columns} from blocklists.entries where entry_id = any(${sql.array([...entryIds], 'text')})`),
    newestOf: (lists, limit) =>
      database.any(sql.type(entryRow)`
        select ${columns} from blocklists.entries where list = any(${sql.array([...lists], 'text')})
        order by added_at desc, entry_id limit ${limit}`),
    changes: async () => (await database.maybeOne(sql.type(changesRow)`select count from blocklists.changes`)) ?? 0,
  }
}
