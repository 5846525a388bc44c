import type { AdminActionRecorded, AdminAuditEvent } from '../../domain/admin-audit/events.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import type { AccountEvent } from '../../domain/account/events.ts'
import { accountOfTarget } from '../../domain/admin-audit/account-of-target.ts'
import { projection, put, removeWhere, type RowChange } from '../runner/projection.ts'

/** The entries of the admin audit log. */
export const adminAuditLogProjection = projection<AdminAuditEvent | AccountEvent>({
  name: 'admin_audit_log',
  answers: 'What administrators did.',
  version: 3,
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
        reason: impersonalReason(data),
        metadata: { ...data.metadata },
        created_at: data.actedAt,
        words: wordsOf(data.action, data.targetType, data.targetId, impersonalReason(data), ...valuesOf(data.metadata)),
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
  const words = wordsOf(reason, ...valuesOf(metadata))
  return [put('personal_parts', { id: entryId, account_id: account ?? adminId, reason, metadata, words })]
}

function impersonalReason(data: AdminActionRecorded): string | null {
  return accountOf(data) === undefined ? data.reason : null
}

/** Texts as a search looks at them. A word that is searched for has no blanks, so it is found within one of them. */
function wordsOf(...texts: readonly (string | null)[]): string {
  return texts
    .filter((text) => text !== null)
    .join('\n')
    .toLowerCase()
}

/** In one order, whatever the order of the members: a rebuilt read model has the same words. */
const valuesOf = (metadata: Readonly<Record<string, string>>): readonly string[] => Object.values(metadata).toSorted()

function accountOf({ targetType, targetId }: AdminActionRecorded): AccountId | undefined {
  return accountOfTarget({ type: targetType, id: targetId })
}

const partsGone = (accountId: AccountId): RowChange => removeWhere('personal_parts', { account_id: accountId })
