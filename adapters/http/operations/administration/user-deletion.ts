import { cancelDeletion } from '../../../../application/administration/users/cancel-deletion.ts'
import {
  deletionEntry,
  earlierDeletion,
  reportsAction,
} from '../../../../application/administration/users/deletion-entries.ts'
import { scheduleDeletion } from '../../../../application/administration/users/schedule-deletion.ts'
import { admin } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import { adminUserReply } from '../../schemas/administration/admin-users.ts'
import { deletionCancellation, deletionSchedule } from '../../schemas/administration/user-deletion.ts'
import { adminUserModify } from './buckets.ts'
import { ofUser, userParams } from './of-users.ts'

const scheduleUserDeletionOperation = operation({
  name: 'Schedule user deletion',
  description: 'Schedules the deletion of an account.',
  route: 'PUT /v1/admin/users/:user_id/deletion',
  callers: admin({ acls: ['user:delete'] }),
  bucket: adminUserModify,
  params: userParams,
  body: deletionSchedule,
  replies: { 200: adminUserReply },
  adminAudit: { action: 'schedule_deletion', ...ofUser, also: { action: reportsAction, target: 'user' } },
  refuses: ['CONFLICT', 'UNKNOWN_USER'],
  useCase: scheduleDeletion,
  handle: async ({ caller, params: { user_id: id }, body, noteAudited, noteSecondEntry }, run) => {
    const wishes = {
      reasonCode: body.reason_code,
      days: body.days,
      publicReason: body.public_reason,
      notifiesHolder: body.notify_user,
      replaces: body.expected_pending_deletion_at,
    }
    const { user, ...scheduled } = await run(caller, id, wishes)
    const { plain, personal, reports } = deletionEntry(scheduled, wishes)
    noteAudited(plain, personal)
    if (reports) noteSecondEntry(reports)
    return { user }
  },
})

const cancelUserDeletionOperation = operation({
  name: 'Cancel user deletion',
  description: "Cancels the scheduled deletion of an account, the holder's own too, and mails the holder on request.",
  route: 'DELETE /v1/admin/users/:user_id/deletion',
  callers: admin({ acls: ['user:delete'] }),
  bucket: adminUserModify,
  params: userParams,
  body: deletionCancellation,
  replies: { 200: adminUserReply },
  adminAudit: {
    action: 'cancel_deletion',
    ...ofUser,
    metadata: ({ body }) => ({
      cancelled_pending_deletion_at: body.expected_pending_deletion_at,
      notify_user: String(body.notify_user),
    }),
  },
  refuses: ['CONFLICT', 'NO_PENDING_DELETION', 'UNKNOWN_USER'],
  useCase: cancelDeletion,
  handle: async ({ caller, params: { user_id: id }, body, noteAudited }, run) => {
    const wishes = { dueAt: body.expected_pending_deletion_at, notifiesHolder: body.notify_user }
    const { user, cancelled } = await run(caller, id, wishes)
    const before = cancelled && earlierDeletion('cancelled', cancelled)
    if (before) noteAudited(before.plain, before.personal)
    return { user }
  },
})

/** The scheduled deletion of accounts by administrators. */
export const userDeletionOperations: readonly Operation[] = [scheduleUserDeletionOperation, cancelUserDeletionOperation]
