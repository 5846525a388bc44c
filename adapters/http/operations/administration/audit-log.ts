import { z } from 'zod'
import {
  getAdminAuditEntry,
  listAdminAuditLog,
} from '../../../../application/administration/audit/read-admin-audit-log.ts'
import { verifyEntries } from '../../../../application/administration/audit/verify-entries.ts'
import { noStream } from '../../../../domain/kernel/position.ts'
import { admin } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import {
  adminAuditCheck,
  adminAuditChecked,
  adminAuditPage,
  adminAuditSearch,
} from '../../schemas/administration/admin-audit.ts'
import { entryIdInput } from '../../schemas/scalars.ts'
import { adminAuditLog } from './buckets.ts'
import { adminAuditEntrySchema } from '../../../../application/wire-objects/administration/admin-audit-objects.ts'

const callers = admin({ acls: ['audit_log:view'] })

/** The search terms are not recorded. */
const listAdminAuditLogOperation = operation({
  name: 'List Admin audit log entries',
  description: 'A page of the admin audit log.',
  route: 'GET /v1/admin/audit-logs',
  callers,
  bucket: adminAuditLog,
  query: adminAuditSearch,
  replies: { 200: adminAuditPage },
  adminAudit: {
    action: 'list_audit_logs',
    target: 'audit_log',
    metadata: ({ query }, { logs, total }) => ({
      limit: String(query.limit),
      offset: String(query.offset),
      has_query: String(query.text !== null),
      result_count: String(logs.length),
      total: String(total),
    }),
  },
  useCase: listAdminAuditLog,
  handle: ({ query }, run) => run(query),
})

const getAdminAuditEntryOperation = operation({
  name: 'Get Admin audit log entry',
  description: 'Gives one entry of the admin audit log.',
  route: 'GET /v1/admin/audit-logs/:log_id',
  callers,
  bucket: adminAuditLog,
  params: z.object({ log_id: entryIdInput }),
  replies: { 200: adminAuditEntrySchema },
  adminAudit: { action: 'get_audit_log', target: 'audit_log', targetId: ({ params }) => params.log_id },
  refuses: ['NOT_FOUND'],
  useCase: getAdminAuditEntry,
  handle: ({ params }, run) => run(params.log_id),
})

const checkAdminAuditLogOperation = operation({
  name: 'Check Admin audit log',
  description:
    'Checks the entries of the admin audit log, or a part of them, against their chain. Going on at `next_cursor` until there is none checks all. An act without an entry is found by `guildhall audit verify` alone.',
  route: 'GET /v1/admin/audit-logs/verification',
  callers,
  bucket: adminAuditLog,
  query: adminAuditCheck,
  replies: { 200: adminAuditChecked },
  adminAudit: {
    action: 'check_audit_logs',
    target: 'audit_log',
    metadata: (_, { checked_count, fault }) => ({
      checked_count: String(checked_count),
      fault: fault?.what ?? 'none',
    }),
  },
  refuses: ['NOT_FOUND'],
  useCase: verifyEntries,
  handle: async ({ query: { cursor, limit } }, run) => {
    const { checkedCount, hash, fault, next } = await run(cursor ?? noStream, limit)
    return {
      checked_count: checkedCount,
      newest_hash: hash,
      fault: fault && { log_id: fault.logId, position: fault.position?.toString() ?? null, what: fault.what },
      next_cursor: next,
    }
  },
})

/** The admin audit log. */
export const adminAuditLogOperations: readonly Operation[] = [
  listAdminAuditLogOperation,
  checkAdminAuditLogOperation,
  getAdminAuditEntryOperation,
]
