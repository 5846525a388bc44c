import { lacking } from '../permissions/authority.ts'
import type { AccountId } from '../ids/ids.ts'
import { accept, refuse, type Decision } from '../kernel/decider.ts'
import { otherThan } from '../kernel/same-json.ts'
import type {
  AddThreadMember,
  ChangeThreadMemberSettings,
  EndThreadMembership,
  RemoveThreadMember,
} from './commands.ts'
import type { ThreadEvent } from './events.ts'
import {
  memberOf,
  placeOf,
  threadMemberFlags,
  threadMembers_max,
  threadTypes,
  type ThreadWithMembers,
} from './state.ts'

/**
 * Adds a member, at most 1000. Nobody can join an archived thread, and only moderators a locked one (400 THREAD_LOCKED). Only the
 * owner and moderators can add others to a private thread that is not invitable.
 */
export function addMember(
  state: ThreadWithMembers,
  { accountId, by, asModerator, now }: AddThreadMember,
): Decision<ThreadEvent> {
  if (state.archived) return refuse('THREAD_ARCHIVED')
  if (state.locked && !asModerator) return refuse('THREAD_LOCKED')
  if (memberOf(state, accountId) !== undefined) return accept()
  const mayInvite = state.threadType !== threadTypes.private || state.invitable === true || by === state.ownerId
  if (!mayInvite && !asModerator) return refuse(lacking('MANAGE_THREADS'))
  const memberCount = countOf(state) + 1
  if (memberCount > threadMembers_max) return refuse('MAX_THREAD_MEMBERS')
  const member = { joinedAt: now, flags: 0, muted: false, muteConfig: null }
  return accept({
    type: 'ThreadMemberAdded',
    data: { ...placeOf(state), accountId, addedBy: by, member, memberCount },
  })
}

/** Removes a member. Members of an archived thread can leave, but not be removed. */
export function removeMember(state: ThreadWithMembers, { accountId, by }: RemoveThreadMember): Decision<ThreadEvent> {
  if (state.archived && by !== accountId) return refuse('THREAD_ARCHIVED')
  if (memberOf(state, accountId) === undefined) return refuse('UNKNOWN_THREAD_MEMBER')
  return accept(removed(state, accountId, by))
}

/**
 * A membership that began later stays. The instant only tells memberships apart. Which one must end follows from the positions of
 * events, since clocks of two processes do not show what came first.
 */
export function endMembership(
  state: ThreadWithMembers,
  { accountId, joinedAt }: EndThreadMembership,
): Decision<ThreadEvent> {
  const member = memberOf(state, accountId)
  if (member?.joinedAt !== joinedAt) return accept()
  return accept(removed(state, accountId, null))
}

/** Changes those of a member's notification settings that differ. */
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

/** Marks a member that writes for the first time. */
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
