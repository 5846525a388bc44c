import type { ThreadEvent, ThreadStarted } from './events.ts'
import { memberOf, type Thread, type ThreadState, type ThreadWithMembers } from './state.ts'

/** The thread after an event. Events of an absent or deleted thread change nothing. */
export function evolve(state: ThreadState, event: ThreadEvent): ThreadState {
  if (event.type === 'ThreadStarted') return { status: 'open', ...threadAtFirst(event.data), members: {} }
  if (state.status !== 'open') return state
  switch (event.type) {
    case 'ThreadChanged': {
      const { after, changedAt } = event.data
      return { ...state, ...after, archivedAt: after.archived === undefined ? state.archivedAt : changedAt }
    }
    case 'ThreadMemberAdded': {
      const { accountId, member } = event.data
      return { ...state, members: { ...state.members, [accountId]: member } }
    }
    case 'ThreadMemberRemoved':
      return { ...state, members: without(state.members, event.data.accountId) }
    case 'ThreadMemberSettingsChanged': {
      const { accountId, changes } = event.data
      const member = memberOf(state, accountId)
      if (member === undefined) return state
      return { ...state, members: { ...state.members, [accountId]: { ...member, ...changes } } }
    }
    case 'ThreadDeleted':
      return { status: 'deleted', threadId: state.threadId }
  }
}

/** A newly started thread. */
export function threadAtFirst(started: ThreadStarted): Thread {
  return { ...started, archived: false, locked: false, archivedAt: started.createdAt }
}

function without(members: ThreadWithMembers['members'], account: string): ThreadWithMembers['members'] {
  return Object.fromEntries(Object.entries(members).filter(([id]) => id !== account))
}
