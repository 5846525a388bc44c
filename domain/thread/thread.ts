import { accountId } from '../ids/ids.ts'
import { snowflake } from '../ids/snowflake.ts'
import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, refuse, type Decision } from '../kernel/decider.ts'
import { otherThan } from '../kernel/same-json.ts'
import { msOf, type Timestamp } from '../kernel/timestamp.ts'
import type {
  ArchiveIdleThread,
  ChangeThread,
  DeleteThread,
  StartThread,
  TakeMessage,
  ThreadCommand,
} from './commands.ts'
import { threadEvents, type ThreadEvent } from './events.ts'
import { evolve } from './evolve.ts'
import { addMember, changeMemberSettings, endMembership, interacted, removeMember } from './members.ts'
import {
  memberOf,
  placeOf,
  threadMemberFlags,
  threadMembers_max,
  threadTypes,
  type Thread,
  type ThreadSettings,
  type ThreadState,
  type ThreadWithMembers,
} from './state.ts'

/** A thread in a guild channel, with its members. Its channel id names its stream. */
export const thread = aggregate({
  category: 'thread',
  identifiedBy: 'the channel id of the thread',
  guards: 'settings, archiving, locking, members (at most 1000) and deletion of a thread (decision 31)',
  stateVersion: 1,
  events: threadEvents,
  initial: { status: 'absent' },
  decide,
  evolve,
})

function decide(state: ThreadState, command: ThreadCommand): Decision<ThreadEvent> {
  if (command.type === 'StartThread') return start(state, command)
  if (state.status !== 'open') return decideOnNone(command)
  switch (command.type) {
    case 'ChangeThread':
      return change(state, command)
    case 'TakeMessage':
      return takeMessage(state, command)
    case 'ArchiveIdleThread':
      return archiveIdle(state, command)
    case 'AddThreadMember':
      return addMember(state, command)
    case 'RemoveThreadMember':
      return removeMember(state, command)
    case 'EndThreadMembership':
      return endMembership(state, command)
    case 'ChangeThreadMemberSettings':
      return changeMemberSettings(state, command)
    case 'DeleteThread':
      return remove(state, command)
  }
}

/** If there is no thread, commands of followers find their work done; all others are refused. */
function decideOnNone({ type }: Exclude<ThreadCommand, StartThread>): Decision<ThreadEvent> {
  return type === 'EndThreadMembership' || type === 'ArchiveIdleThread' ? accept() : refuse('UNKNOWN_CHANNEL')
}

/** A message can have one thread, for good: the ids are the same. */
function start(state: ThreadState, { thread: started, byWebhook }: StartThread): Decision<ThreadEvent> {
  if (state.status === 'absent') {
    const { ownerId, createdAt } = started
    if (byWebhook === true) return accept({ type: 'ThreadStarted', data: started })
    const member = { joinedAt: createdAt, flags: threadMemberFlags.HAS_INTERACTED, muted: false, muteConfig: null }
    return accept(
      { type: 'ThreadStarted', data: started },
      {
        type: 'ThreadMemberAdded',
        data: { ...placeOf(started), accountId: ownerId, addedBy: ownerId, member, memberCount: 1 },
      },
    )
  }
  const isTheSame =
    state.status === 'open' && state.ownerId === started.ownerId && state.createdAt === started.createdAt
  return isTheSame ? accept() : refuse('THREAD_ALREADY_CREATED_FOR_MESSAGE')
}

/**
 * Changes the settings that differ. Only moderators can change a locked thread (400 THREAD_LOCKED). An archived one can only be
 * changed while unarchiving it (400 THREAD_ARCHIVED), except by moderators.
 */
function change(state: ThreadWithMembers, { asModerator, changes, now }: ChangeThread): Decision<ThreadEvent> {
  if (Object.entries(changes).every((entry) => !otherThan(state)(entry))) return accept()
  if (!asModerator && state.locked) return refuse('THREAD_LOCKED')
  if (!asModerator && state.archived && changes.archived !== false) return refuse('THREAD_ARCHIVED')
  return accept(...changed(state, changes, 'asked', now))
}

/**
 * Lets somebody write: into a locked thread moderators alone; an archived one comes out of the archive, unless it is locked.
 * Whoever writes joins, while the limit allows it.
 */
function takeMessage(state: ThreadWithMembers, { by, asModerator, now }: TakeMessage): Decision<ThreadEvent> {
  if (state.locked && !asModerator) return refuse('THREAD_LOCKED')
  if (state.locked && state.archived) return refuse('THREAD_ARCHIVED')
  const member = { joinedAt: now, flags: threadMemberFlags.HAS_INTERACTED, muted: false, muteConfig: null }
  const memberCount = Object.keys(state.members).length + 1
  const joins = memberOf(state, by) === undefined && memberCount <= threadMembers_max
  const added = { ...placeOf(state), accountId: by, addedBy: by, member, memberCount }
  return accept(
    ...(state.archived ? changed(state, { archived: false }, 'message', now) : []),
    ...(joins ? [{ type: 'ThreadMemberAdded', data: added } as const] : interacted(state, by)),
  )
}

/** Whether nobody wrote in a thread for its automatic archiving time, since it was started or unarchived. */
export function isIdle(
  { archivedAt, autoArchiveDuration }: Pick<Thread, 'archivedAt' | 'autoArchiveDuration'>,
  lastMessageAt: Timestamp | null,
  now: Timestamp,
): boolean {
  const activeAt_ms = Math.max(msOf(archivedAt), lastMessageAt === null ? 0 : msOf(lastMessageAt))
  return activeAt_ms + autoArchiveDuration * 60_000 <= msOf(now)
}

/** An archived thread stays as it is. */
function archiveIdle(state: ThreadWithMembers, { lastMessageAt, now }: ArchiveIdleThread): Decision<ThreadEvent> {
  return state.archived || !isIdle(state, lastMessageAt, now)
    ? accept()
    : accept(...changed(state, { archived: true }, 'inactivity', now))
}

function remove(state: ThreadWithMembers, { because }: DeleteThread): Decision<ThreadEvent> {
  const isPrivate = state.threadType === threadTypes.private
  const memberIds = isPrivate ? Object.keys(state.members).map((id) => accountId(snowflake(id))) : []
  return accept({ type: 'ThreadDeleted', data: { ...placeOf(state), because, settings: settingsOf(state), memberIds } })
}

function changed(
  state: ThreadWithMembers,
  wishes: Partial<ThreadSettings>,
  because: 'asked' | 'message' | 'inactivity',
  now: ThreadWithMembers['archivedAt'],
): readonly ThreadEvent[] {
  const different = Object.entries(wishes).filter(otherThan(state))
  if (different.length === 0) return []
  const after: Partial<ThreadSettings> = Object.fromEntries(different)
  const before: Partial<ThreadSettings> = Object.fromEntries(
    Object.entries(settingsOf(state)).filter(([member]) => Object.hasOwn(after, member)),
  )
  return [{ type: 'ThreadChanged', data: { ...placeOf(state), before, after, because, changedAt: now } }]
}

function settingsOf(state: ThreadSettings): ThreadSettings {
  const { name, archived, locked, autoArchiveDuration, rateLimitPerUser, invitable, flags, appliedTags } = state
  return { name, archived, locked, autoArchiveDuration, rateLimitPerUser, invitable, flags, appliedTags }
}
