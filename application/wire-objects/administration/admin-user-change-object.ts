import type { UserChange } from '../../ports/queries/user-change-log-queries.ts'
import { redacted, type AdminUserView } from './admin-user-object.ts'

export type AdminUserChangeObject = ReturnType<typeof adminUserChangeObject>

/** A change of an account's tag or address. Addresses are redacted for callers who may not see them. */
export function adminUserChangeObject(change: UserChange, view: Pick<AdminUserView, 'email'>) {
  const isShown = change.field !== 'email' || view.email
  return {
    event_id: change.id,
    field: change.field,
    old_value: isShown ? change.oldValue : redacted,
    new_value: isShown ? change.newValue : redacted,
    reason: change.reason,
    actor_user_id: change.actorId,
    event_at: change.changedAt,
  }
}
