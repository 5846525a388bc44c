import type { EntryId } from '../../../domain/ids/ids.ts'
import { reject } from '../../commands/refused.ts'
import {
  adminAuditEntryObject,
  type AdminAuditEntryObject,
} from '../../wire-objects/administration/admin-audit-objects.ts'
import type { AdminAuditSearch } from '../../ports/queries/admin-audit-queries.ts'
import type { Ports } from '../../ports.ts'
import { relatedTo } from './related-things.ts'

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
