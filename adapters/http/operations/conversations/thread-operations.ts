import type { Operation } from '../../operation.js'
import {
  addThreadMemberOperation,
  changeOwnThreadSettingsOperation,
  getThreadMemberOperation,
  joinThreadOperation,
  leaveThreadOperation,
  listThreadMembersOperation,
  removeThreadMemberOperation,
} from './thread-members.js'
import {
  listActiveThreadsOperation,
  listOwnPrivateArchivedThreadsOperation,
  listPrivateArchivedThreadsOperation,
  listPublicArchivedThreadsOperation,
  searchThreadsOperation,
  startThreadFromMessageOperation,
  startThreadOperation,
} from './threads.js'

/** Threads and their members; reading, changing and deleting one is as with every channel. */
export const threadOperations: readonly Operation[] = [
  startThreadFromMessageOperation,
  startThreadOperation,
  listActiveThreadsOperation,
  listPublicArchivedThreadsOperation,
  listPrivateArchivedThreadsOperation,
  listOwnPrivateArchivedThreadsOperation,
  searchThreadsOperation,
  joinThreadOperation,
  addThreadMemberOperation,
  leaveThreadOperation,
  removeThreadMemberOperation,
  getThreadMemberOperation,
  listThreadMembersOperation,
  changeOwnThreadSettingsOperation,
]
