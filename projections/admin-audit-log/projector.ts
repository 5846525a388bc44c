import type { AdminActionRecorded, AdminAuditEvent } from '../../domain/admin-audit/events.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import type { AccountEvent } from '../../domain/account/events.ts'
import { accountOfTarget } from '../../domain/admin-audit/account-of-target.ts'
import { projection, put, removeWhere, type RowChange } from '../runner/projection.ts'

/** The entries of the admin audit log. */
export const adminAuditLogProjection = projection<AdminAuditEvent | AccountEvent>({
  name: 'admin_audit_log',
  answers: 'What administrators did.',
  version: 2,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { entries: ['id'], personal_parts: ['id'] },
  on: {
    AdminActionRecorded: ({ data }) => [
      put('entries', {
        id: data.entryId,
        admin_id: data.adminId,
        target_type: data.targetType,
        target_id: data.targetId,
        action: data.action,
        reason: accountOf(data) === undefined ? data.reason : null,
        metadata: { ...data.metadata },
        created_at: data.actedAt,
      }),
      ...personalParts(data),
    ],
    AccountErasureStarted: ({ data }) => [partsGone(data.accountId)],
    // Administrators may have acted on it meanwhile.
    AccountErased: ({ data }) => [partsGone(data.accountId)],
  },
})

/** What goes with the erasure of the account that the action was on, or else of the administrator. */
function personalParts(data: AdminActionRecorded): readonly RowChange[] {
  const { entryId, adminId, personalMetadata } = data
  const account = accountOf(data)
  // Entries of earlier versions have the reason in the clear.
  const reason = account === undefined ? null : (data.personalReason ?? data.reason)
  if (personalMetadata === null && reason === null) return []
  const metadata = { ...personalMetadata }
  return [put('personal_parts', { id: entryId, account_id: account ?? adminId, reason, metadata })]
}

function accountOf({ targetType, targetId }: AdminActionRecorded): AccountId | undefined {
  return accountOfTarget({ type: targetType, id: targetId })
}

const partsGone = (accountId: AccountId): RowChange => removeWhere('personal_parts', { account_id: accountId })
