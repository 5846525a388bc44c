import { z } from 'zod'
import type { UserChange } from '../../ports/queries/user-change-log-queries.ts'
import { loggedFields } from '../../../domain/account/logged-fields.ts'
import { redacted, type AdminUserView } from './admin-user-object.ts'
import { nullableText, snowflakeOutput, timestampOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

/** A change of an account's address or tag. */
export const adminUserChangeSchema = wireObject('AdminUserChange', {
  event_id: z.string().regex(/^\d+$/),
  field: z.enum(loggedFields),
  old_value: nullableText,
  new_value: nullableText,
  reason: nullableText,
  actor_user_id: snowflakeOutput.nullable(),
  event_at: timestampOutput,
})

export type AdminUserChangeObject = ObjectOf<typeof adminUserChangeSchema>

/** A change of an account's tag or address. Addresses are redacted for callers who may not see them. */
export function adminUserChangeObject(change: UserChange, view: Pick<AdminUserView, 'email'>): AdminUserChangeObject {
  const isShown = change.field !== 'email' || view.email
  return objectOf(adminUserChangeSchema, {
    event_id: change.id,
    field: change.field,
    old_value: isShown ? change.oldValue : redacted,
    new_value: isShown ? change.newValue : redacted,
    reason: change.reason,
    actor_user_id: change.actorId,
    event_at: change.changedAt,
  })
}
