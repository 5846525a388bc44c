import type { EntryId } from '../../../domain/ids/ids.js'
import { reject } from '../../commands/refused.js'
import {
  adminAuditEntryObject,
  type AdminAuditEntryObject,
} from '../../wire-objects/administration/admin-audit-objects.js'
import type { AdminAuditSearch } from '../../ports/queries/admin-audit-queries.js'
import type { Ports } from '../../ports.js'
import { relatedTo } from './related-things.js'

type Needs = Pick<Ports, 'queries'>

/** A page of the admin audit log. See rules/administration#audit-log. */
export function listAdminAuditLog(needs: Needs) {
  return async (
    search: AdminAuditSearch,
  ): Promise<{ readonly logs: readonly AdminAuditEntryObject[]; readonly total: number }> => {
    const { entries, total_count } = await needs.queries.adminAudit.search(search)
    const related = await relatedTo(needs, entries)
    return { logs: entries.map((entry) => adminAuditEntryObject(entry, related)), total: total_count }
  }
}

/** One entry. Refuses with NOT_FOUND. */
export function getAdminAuditEntry(needs: Needs) {
  return async (id: EntryId): Promise<AdminAuditEntryObject> => {
    const entry = (await needs.queries.adminAudit.find(id)) ?? reject('NOT_FOUND')
    return adminAuditEntryObject(entry, await relatedTo(needs, [entry]))
  }
}
