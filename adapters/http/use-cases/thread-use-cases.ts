import {
  listActiveThreads,
  listOwnPrivateArchivedThreads,
  listPrivateArchivedThreads,
  listPublicArchivedThreads,
  searchThreads,
} from '../../../application/conversations/threads/list-threads.js'
import { startThread, startThreadFromMessage } from '../../../application/conversations/threads/start-thread.js'
import {
  addThreadMember,
  changeOwnThreadSettings,
  getThreadMember,
  joinThread,
  leaveThread,
  listThreadMembers,
  removeThreadMember,
} from '../../../application/conversations/threads/thread-members.js'
import type { Ports } from '../../../application/ports.js'

/** Threads and their members. */
export function threadUseCases(ports: Ports) {
  return {
    addMember: addThreadMember(ports),
    changeOwnSettings: changeOwnThreadSettings(ports),
    getMember: getThreadMember(ports),
    join: joinThread(ports),
    leave: leaveThread(ports),
    listActive: listActiveThreads(ports),
    listMembers: listThreadMembers(ports),
    listOwnPrivateArchived: listOwnPrivateArchivedThreads(ports),
    listPrivateArchived: listPrivateArchivedThreads(ports),
    listPublicArchived: listPublicArchivedThreads(ports),
    removeMember: removeThreadMember(ports),
    search: searchThreads(ports),
    start: startThread(ports),
    startFromMessage: startThreadFromMessage(ports),
  }
}
