import type { AccountId } from '../ids/ids.js'
import { accept, refuse, type Decision } from '../kernel/decider.js'
import { otherThan } from '../kernel/same-json.js'
import type {
  AddThreadMember,
  ChangeThreadMemberSettings,
  EndThreadMembership,
  RemoveThreadMember,
} from './commands.js'
import type { ThreadEvent } from './events.js'
import {
  memberOf,
  placeOf,
  threadMemberFlags,
  threadMembers_max,
  threadTypes,
  type ThreadWithMembers,
} from './state.js'

/**
 * A member more, at most 1000. Into an archived thread nobody comes, into a locked one by a moderator alone (400 THREAD_LOCKED);
 * into a private one that is not invitable its owner and moderators let others.
 */
export function addMember(
  state: ThreadWithMembers,
  { accountId, by, asModerator, now }: AddThreadMember,
): Decision<ThreadEvent> {
  if (state.archived) return refuse('THREAD_ARCHIVED')
  if (state.locked && !asModerator) return refuse('THREAD_LOCKED')
  if (memberOf(state, accountId) !== undefined) return accept()
  const mayInvite = state.threadType !== threadTypes.private || state.invitable === true || by === state.ownerId
  if (!mayInvite && !asModerator) return refuse('MISSING_PERMISSIONS')
  const memberCount = countOf(state) + 1
  if (memberCount > threadMembers_max) return refuse('MAX_THREAD_MEMBERS')
  const member = { joinedAt: now, flags: 0, muted: false, muteConfig: null }
  return accept({
    type: 'ThreadMemberAdded',
    data: { ...placeOf(state), accountId, addedBy: by, member, memberCount },
  })
}

/** A member fewer: out of an archived thread its members go by themselves alone. */
export function removeMember(state: ThreadWithMembers, { accountId, by }: RemoveThreadMember): Decision<ThreadEvent> {
  if (state.archived && by !== accountId) return refuse('THREAD_ARCHIVED')
  if (memberOf(state, accountId) === undefined) return refuse('UNKNOWN_THREAD_MEMBER')
  return accept(removed(state, accountId, by))
}

/**
 * Whoever came back to the thread meanwhile stays. The instant only tells one membership from another: which of them is to end
 * follows from the positions of events, since the clocks of two processes say nothing about what came first.
 */
export function endMembership(
  state: ThreadWithMembers,
  { accountId, joinedAt }: EndThreadMembership,
): Decision<ThreadEvent> {
  const member = memberOf(state, accountId)
  if (member?.joinedAt !== joinedAt) return accept()
  return accept(removed(state, accountId, null))
}

/** Changes what is different of what a member wants to hear. */
export function changeMemberSettings(
  state: ThreadWithMembers,
  { accountId, changes: wishes }: ChangeThreadMemberSettings,
): Decision<ThreadEvent> {
  const member = memberOf(state, accountId)
  if (member === undefined) return refuse('UNKNOWN_THREAD_MEMBER')
  const kept = member.flags & threadMemberFlags.HAS_INTERACTED
  const wanted = wishes.flags === undefined ? wishes : { ...wishes, flags: wishes.flags | kept }
  const different = Object.entries(wanted).filter(otherThan(member))
  if (different.length === 0) return accept()
  const changes: Partial<typeof wishes> = Object.fromEntries(different)
  return accept({ type: 'ThreadMemberSettingsChanged', data: { ...placeOf(state), accountId, changes } })
}

/** A member who writes for the first time. */
export function interacted(state: ThreadWithMembers, account: AccountId): readonly ThreadEvent[] {
  const member = memberOf(state, account)
  if (member === undefined || (member.flags & threadMemberFlags.HAS_INTERACTED) !== 0) return []
  const changes = { flags: member.flags | threadMemberFlags.HAS_INTERACTED }
  return [{ type: 'ThreadMemberSettingsChanged', data: { ...placeOf(state), accountId: account, changes } }]
}

function removed(state: ThreadWithMembers, accountId: AccountId, removedBy: AccountId | null): ThreadEvent {
  const memberCount = countOf(state) - 1
  return { type: 'ThreadMemberRemoved', data: { ...placeOf(state), accountId, removedBy, memberCount } }
}

const countOf = ({ members }: ThreadWithMembers): number => Object.keys(members).length
