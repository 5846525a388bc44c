import { banUser, liftBan } from '../../../../application/administration/users/ban-user.ts'
import { admin } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import { adminUserReply } from '../../schemas/administration/admin-users.ts'
import { userBan, userBanLift } from '../../schemas/administration/user-bans.ts'
import { adminUserModify } from './buckets.ts'
import { ofUser, userParams } from './of-users.ts'

const banUserOperation = operation({
  name: 'Ban user',
  description: 'Bans any account, whatever it is, and ends all of its sessions.',
  route: 'PUT /v1/admin/users/:user_id/ban',
  callers: admin({ acls: ['user:temp_ban'] }),
  bucket: adminUserModify,
  params: userParams,
  body: userBan,
  replies: { 200: adminUserReply },
  adminAudit: {
    action: 'temp_ban',
    ...ofUser,
    metadata: ({ body }) => ({
      duration_hours: String(body.duration_hours),
      notify_user: String(body.notify_user),
    }),
    // The entry says `null` where no reason was given.
    personalMetadata: ({ body }) => ({ reason: body.reason ?? 'null' }),
  },
  refuses: ['UNKNOWN_USER'],
  useCase: banUser,
  handle: async ({ caller, params: { user_id: id }, body, noteAudited }, run) => {
    const { duration_hours, reason, notify_user: notifiesHolder } = body
    const banned = await run(caller, id, { duration_hours, reason, notifiesHolder })
    noteAudited({ banned_until: banned.bannedUntil, notification_sent: String(banned.isNotified) })
    return { user: banned.user }
  },
})

const liftBanOperation = operation({
  name: 'Lift ban',
  description: 'Ends the ban of an account, if it has one, and removes DISABLED, even if its holder set that.',
  route: 'DELETE /v1/admin/users/:user_id/ban',
  callers: admin({ acls: ['user:temp_ban'] }),
  bucket: adminUserModify,
  params: userParams,
  body: userBanLift,
  replies: { 200: adminUserReply },
  adminAudit: {
    action: 'unban',
    ...ofUser,
    metadata: ({ body }) => ({ notify_user: String(body.notify_user) }),
    personalMetadata: ({ body }): Readonly<Record<string, string>> =>
      body.public_reason === null ? {} : { public_reason: body.public_reason },
  },
  refuses: ['UNKNOWN_USER'],
  useCase: liftBan,
  handle: async ({ caller, params: { user_id: id }, body, noteAudited }, run) => {
    const { public_reason: publicReason, notify_user: notifiesHolder } = body
    const { user, isNotified } = await run(caller, id, { publicReason, notifiesHolder })
    noteAudited({ notification_sent: String(isNotified) })
    return { user }
  },
})

/** Bans of accounts. */
export const userBanOperations: readonly Operation[] = [banUserOperation, liftBanOperation]
