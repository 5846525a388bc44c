import { changeUserEmail } from '../../../../application/administration/users/change-user-email.ts'
import { listUserChangeLog } from '../../../../application/administration/users/list-user-change-log.ts'
import { admin } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import { adminUserReply } from '../../schemas/administration/admin-users.ts'
import { emailChange, userChangeLog, userChangesPage } from '../../schemas/administration/user-contacts.ts'
import { adminLookup, adminUserModify } from './buckets.ts'
import { ofUser, userParams } from './of-users.ts'

const changeUserEmailOperation = operation({
  name: 'Change user email',
  description: 'Gives an account another address, unverified; its bounce marker stays.',
  route: 'PATCH /v1/admin/users/:user_id/email',
  callers: admin({ acls: ['user:update:email'] }),
  signIn: 'email',
  bucket: adminUserModify,
  params: userParams,
  body: emailChange,
  replies: { 200: adminUserReply },
  adminAudit: { action: 'change_email', ...ofUser },
  refuses: ['CONFLICT', 'UNKNOWN_USER'],
  useCase: changeUserEmail,
  handle: async ({ caller, params: { user_id: id }, body: { email }, noteAudited }, run) => {
    const { user, before } = await run(caller, id, email)
    noteAudited({}, { old_email: before ?? 'null', new_email: email })
    return { user }
  },
})

/** The cursor is not recorded, only that there was one. */
const listUserChangeLogOperation = operation({
  name: 'List user change log',
  description: "The changes of an account's tag and address, newest first.",
  route: 'GET /v1/admin/users/:user_id/change-log',
  callers: admin({ acls: ['user:view:contact_log'] }),
  bucket: adminLookup,
  params: userParams,
  query: userChangesPage,
  replies: { 200: userChangeLog },
  adminAudit: {
    action: 'list_user_change_log',
    ...ofUser,
    metadata: ({ query: { limit, before } }, { entries }) => ({
      limit: String(limit),
      entry_count: String(entries.length),
      ...(before === null ? {} : { has_page_token: 'true' }),
    }),
  },
  useCase: listUserChangeLog,
  handle: ({ caller, params, query }, run) => run(caller, params.user_id, query),
})

/** The contact details of an account, and their changes. */
export const userContactOperations: readonly Operation[] = [changeUserEmailOperation, listUserChangeLogOperation]
