import type { Operation } from '../../operation.js'
import { banMemberOperation, listBansOperation, unbanMemberOperation } from './bans.js'
import {
  addMemberRoleOperation,
  changeMemberOperation,
  changeOwnMemberOperation,
  kickMemberOperation,
  listMembersOperation,
  readAdmissionOperation,
  readMemberOperation,
  readOwnMemberOperation,
  removeMemberRoleOperation,
} from './members.js'

/** The members of guilds, and whom guilds keep out. */
export const memberOperations: readonly Operation[] = [
  listMembersOperation,
  readOwnMemberOperation,
  readMemberOperation,
  readAdmissionOperation,
  changeOwnMemberOperation,
  changeMemberOperation,
  kickMemberOperation,
  addMemberRoleOperation,
  removeMemberRoleOperation,
  listBansOperation,
  banMemberOperation,
  unbanMemberOperation,
]
