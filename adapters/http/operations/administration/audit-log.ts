import { z } from 'zod'
import { admin } from '../../callers.js'
import { none, operation } from '../../operation.js'
import { adminAuditEntry, adminAuditPage, adminAuditSearch } from '../../schemas/administration/admin-audit.js'
import { entryIdInput } from '../../schemas/scalars.js'
import { adminAuditLog } from './buckets.js'

const callers = admin({ acls: ['audit_log:view'] })

/** What was searched for is not recorded. */
export const listAdminAuditLogOperation = operation({
  name: 'List Admin audit log entries',
  route: 'GET /v1/admin/audit-logs',
  callers,
  bucket: adminAuditLog,
  params: none,
  query: adminAuditSearch,
  body: none,
  replies: { 200: adminAuditPage },
  adminAudit: {
    action: 'list_audit_logs',
    target: () => ({ type: 'audit_log', id: '0' }),
    metadata: ({ query }, { logs, total }) => ({
      limit: String(query.limit),
      offset: String(query.offset),
      has_query: String(query.text !== null),
      result_count: String(logs.length),
      total: String(total),
    }),
  },
  handle: ({ query }, { adminAuditLog: log }) => log.list(query),
})

export const getAdminAuditEntryOperation = operation({
  name: 'Get Admin audit log entry',
  route: 'GET /v1/admin/audit-logs/:log_id',
  callers,
  bucket: adminAuditLog,
  params: z.object({ log_id: entryIdInput }),
  query: none,
  body: none,
  replies: { 200: adminAuditEntry },
  adminAudit: { action: 'get_audit_log', target: ({ params }) => ({ type: 'audit_log', id: params.log_id }) },
  refuses: ['NOT_FOUND'],
  handle: ({ params }, { adminAuditLog: log }) => log.get(params.log_id),
})
