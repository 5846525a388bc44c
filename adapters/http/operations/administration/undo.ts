import { findUndoing, type Undoable } from '../../../../application/administration/undo/undoing.ts'
import type { EntryId } from '../../../../domain/ids/ids.ts'
import { actionsOf } from '../../admin-audit-rule.ts'
import { admin } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import { undoneObject, undoneReply, undoParams, undoWishes } from '../../schemas/administration/undo.ts'
import { adminUserModify } from './buckets.ts'
import { inverseOf, inverseOperations } from './inverses.ts'

const inverseAcls = inverseOperations.flatMap(({ callers }) => (callers.kind === 'admin' ? callers.acls : []))

const undoEntryOperation = operation({
  name: 'Undo audit log entry',
  description:
    'Takes back an act on an account by the operation that does the opposite, which the caller needs the ACLs for, unless what it changed was changed again.',
  route: 'POST /v1/admin/history/undo/:entry_id',
  callers: admin({ acls: ['audit_log:view'], onceValidated: inverseAcls }),
  bucket: adminUserModify,
  params: undoParams,
  body: undoWishes,
  replies: { 200: undoneReply },
  adminAudit: {
    action: {
      anyOf: inverseOperations.flatMap(({ adminAudit }) => ('none' in adminAudit ? [] : actionsOf(adminAudit))),
      of: neverCarriedOut,
    },
    target: 'user',
  },
  refuses: ['NOT_FOUND', 'NO_PENDING_DELETION', 'UNKNOWN_USER'],
  async becomes(ports, { params: { entry_id: entry }, body }, commandId) {
    const found = await findUndoing(ports)(entry, commandId)
    const inverse = inverseOf(found.undoing, body.notify_user)
    return {
      operation: undoing(inverse.operation, entry, found),
      params: { user_id: found.account },
      body: inverse.body,
      reply: undoneObject(entry, inverse.operation.name, inverse.replacedUntil),
    }
  },
  handle: neverCarriedOut,
})

function neverCarriedOut(): never {
  throw new Error('the opposite is carried out in its place')
}

/** The same operation, which names the entry that it takes back, and refuses with CONFLICT if the account was changed since. */
function undoing(inverse: Operation, entry: EntryId, chosen: Pick<Undoable, 'stream' | 'revision'>): Operation {
  const { adminAudit } = inverse
  if ('none' in adminAudit) throw new Error(`${inverse.name} leaves no entry`)
  return {
    ...inverse,
    adminAudit: {
      ...adminAudit,
      metadata: (request, reply) => ({ ...adminAudit.metadata?.(request, reply), undone_entry_id: entry }),
    },
    open: (ports) => inverse.open({ ...ports, aggregates: ports.aggregatesAsOf(chosen) }),
  }
}

/** Takes entries of the admin audit log back. */
export const undoOperations: readonly Operation[] = [undoEntryOperation]
