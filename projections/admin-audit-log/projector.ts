import type { AdminAuditEvent } from '../../domain/admin-audit/events.js'
import { projection, put } from '../runner/projection.js'

/** The entries of the admin audit log. */
export const adminAuditLogProjection = projection<AdminAuditEvent>({
  name: 'admin_audit_log',
  answers: 'What administrators did.',
  version: 1,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { entries: ['id'] },
  on: {
    AdminActionRecorded: ({ data }) => [
      put('entries', {
        id: data.entryId,
        admin_id: data.adminId,
        target_type: data.targetType,
        target_id: data.targetId,
        action: data.action,
        reason: data.reason,
        metadata: { ...data.metadata, ...data.personalMetadata },
        created_at: data.actedAt,
      }),
    ],
  },
})
