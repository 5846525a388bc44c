import { changeDateOfBirth } from '../../../../application/administration/users/change-date-of-birth.ts'
import {
  changeUserFacts,
  flagsEntry,
  updateUserFlags,
} from '../../../../application/administration/users/change-user-facts.ts'
import { setBotStatus } from '../../../../application/administration/users/set-bot-status.ts'
import { admin } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import { adminUserReply } from '../../schemas/administration/admin-users.ts'
import {
  botStatus,
  dateOfBirthBody,
  flagChanges,
  premiumFlagChanges,
  systemStatus,
  traitsBody,
} from '../../schemas/administration/user-facts.ts'
import { adminUserModify } from './buckets.ts'
import { ofUser, userParams } from './of-users.ts'

interface FlagsBody {
  readonly add_flags: readonly (string | number)[]
  readonly remove_flags: readonly (string | number)[]
}

const changeOf = ({ add_flags: add, remove_flags: remove }: FlagsBody) => flagsEntry({ add, remove })

const updateUserFlagsOperation = operation({
  name: 'Update user flags',
  description: 'Adds and removes flags of an account, and gives the account.',
  route: 'PATCH /v1/admin/users/:user_id/flags',
  callers: admin({ acls: ['user:update:flags'] }),
  bucket: adminUserModify,
  params: userParams,
  body: flagChanges,
  replies: { 200: adminUserReply },
  adminAudit: {
    action: 'update_flags',
    ...ofUser,
    metadata: ({ body }, reply) => ({ ...changeOf(body), new_flags: reply.user.flags }),
  },
  refuses: ['UNKNOWN_USER'],
  useCase: updateUserFlags,
  handle: async ({ caller, params: { user_id: id }, body: { add_flags: add, remove_flags: remove } }, run) => ({
    user: await run(caller, id, { add, remove }),
  }),
})

const updateUserPremiumFlagsOperation = operation({
  name: 'Update user premium flags',
  description: 'Adds and removes premium flags of an account, and gives the account.',
  route: 'PATCH /v1/admin/users/:user_id/premium-flags',
  callers: admin({ acls: ['user:update:flags'] }),
  bucket: adminUserModify,
  params: userParams,
  body: premiumFlagChanges,
  replies: { 200: adminUserReply },
  adminAudit: {
    action: 'update_premium_flags',
    ...ofUser,
    metadata: ({ body }, reply) => ({ ...changeOf(body), new_flags: String(reply.user.premium_flags) }),
  },
  refuses: ['UNKNOWN_USER'],
  useCase: changeUserFacts,
  handle: async ({ caller, params: { user_id: id }, body: { add_flags: add, remove_flags: remove } }, run) => ({
    user: await run(caller, id, { type: 'UpdatePremiumFlags', add, remove }),
  }),
})

const setUserTraitsOperation = operation({
  name: 'Set user traits',
  description: 'Replaces the traits of an account, and gives the account.',
  route: 'PUT /v1/admin/users/:user_id/traits',
  callers: admin({ acls: ['user:update:traits'] }),
  bucket: adminUserModify,
  params: userParams,
  body: traitsBody,
  replies: { 200: adminUserReply },
  adminAudit: {
    action: 'set_traits',
    ...ofUser,
    personalMetadata: (_, { user: { traits } }): Readonly<Record<string, string>> =>
      traits.length === 0 ? {} : { traits: traits.join(',') },
  },
  refuses: ['UNKNOWN_USER'],
  useCase: changeUserFacts,
  handle: async ({ caller, params: { user_id: id }, body: { traits } }, run) => ({
    user: await run(caller, id, { type: 'SetTraits', traits }),
  }),
})

const changeUserDateOfBirthOperation = operation({
  name: 'Change user date of birth',
  description: 'Changes the date of birth of an account (YYYY-MM-DD): what its age opens to it follows at once.',
  route: 'PATCH /v1/admin/users/:user_id/date-of-birth',
  callers: admin({ acls: ['user:update:dob'] }),
  bucket: adminUserModify,
  params: userParams,
  body: dateOfBirthBody,
  replies: { 200: adminUserReply },
  adminAudit: { action: 'change_dob', ...ofUser },
  refuses: ['UNKNOWN_USER'],
  useCase: changeDateOfBirth,
  handle: async ({ caller, params: { user_id: id }, body: { date_of_birth: dateOfBirth }, noteAudited }, run) => {
    const { user, before } = await run(caller, id, dateOfBirth)
    noteAudited({}, { old_dob: before ?? 'null', new_dob: dateOfBirth })
    return { user }
  },
})

const setUserBotStatusOperation = operation({
  name: 'Set user bot status',
  description: 'Makes an account a bot or a person.',
  route: 'PUT /v1/admin/users/:user_id/bot-status',
  callers: admin({ acls: ['user:update:bot_status'] }),
  bucket: adminUserModify,
  params: userParams,
  body: botStatus,
  replies: { 200: adminUserReply },
  adminAudit: { action: 'set_bot_status', ...ofUser, metadata: ({ body }) => ({ bot: String(body.bot) }) },
  refuses: ['UNKNOWN_USER'],
  useCase: setBotStatus,
  handle: async ({ caller, params: { user_id: id }, body: { bot } }, run) => ({ user: await run(caller, id, bot) }),
})

const setUserSystemStatusOperation = operation({
  name: 'Set user system status',
  description: 'Marks an account as one of the system or not, and gives the account.',
  route: 'PUT /v1/admin/users/:user_id/system-status',
  callers: admin({ acls: ['user:update:bot_status'] }),
  bucket: adminUserModify,
  params: userParams,
  body: systemStatus,
  exampleBody: { system: false },
  replies: { 200: adminUserReply },
  adminAudit: {
    action: 'set_system_status',
    ...ofUser,
    metadata: ({ body }) => ({ system: String(body.system) }),
  },
  refuses: ['UNKNOWN_USER'],
  useCase: changeUserFacts,
  handle: async ({ caller, params: { user_id: id }, body: { system } }, run) => ({
    user: await run(caller, id, { type: 'SetSystemStatus', system }),
  }),
})

/** Facts of accounts that administrators set. */
export const userFactOperations: readonly Operation[] = [
  updateUserFlagsOperation,
  updateUserPremiumFlagsOperation,
  setUserTraitsOperation,
  changeUserDateOfBirthOperation,
  setUserBotStatusOperation,
  setUserSystemStatusOperation,
]
