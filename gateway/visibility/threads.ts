import type { Guild } from '../../domain/guild/state.ts'
import type { AccountId, ChannelId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { laterOf } from '../../domain/messages/channel-last.ts'
import type { Membership } from '../../domain/membership/state.ts'
import { computePermissions } from '../../domain/permissions/compute-permissions.ts'
import type { ThreadPlace } from '../../domain/thread/state.ts'
import { viewsThread } from '../../domain/thread/views-thread.ts'
import type { LastMessages } from '../../application/wire-objects/communities/channel-objects.ts'
import {
  threadInReadyObject,
  type ThreadInReadyObject,
  type ThreadParts,
  type ThreadTally,
} from '../../application/wire-objects/conversations/thread-objects.ts'
import type { ActiveThread, FoundThread } from '../../application/ports/thread-lookups.ts'
import type { Known, ThreadFact } from './known-event.ts'
import { perVisibilityClass, type Link, type Room } from './room.ts'

/**
 * Whether a member can view a thread: it must be able to view its channel and, for a private thread, have joined it or
 * moderate threads.
 */
function canViewThread(
  guild: Guild,
  member: Membership,
  { parentId, threadType }: Pick<ThreadPlace, 'parentId' | 'threadType'>,
  hasJoined: boolean,
  now: Timestamp,
): boolean {
  return viewsThread(permissionsAbove(guild, member, parentId), member, { threadType, hasJoined, now })
}

/** The same for many sessions of one guild: computed once for all sessions with the same rights. */
export function threadViewers(
  { parentId, threadType }: Pick<ThreadPlace, 'parentId' | 'threadType'>,
  joined: ReadonlySet<AccountId>,
  now: Timestamp,
): (link: Link) => boolean {
  const maskOf = perVisibilityClass(({ room: { guild }, member }) => permissionsAbove(guild, member, parentId))
  return (link) =>
    viewsThread(maskOf(link), link.member, { threadType, hasJoined: joined.has(link.member.accountId), now })
}

/** A member's permissions in a thread's channel; none if that was deleted. */
export function permissionsAbove(guild: Guild, member: Membership, parentId: ChannelId): bigint {
  const parent = guild.channels.find(({ id }) => id === parentId)
  return parent ? computePermissions(guild, member, parent.overwrites) : 0n
}

/** The `threads` of a guild ready object: those that the link knows and can view now. */
export function shownThreads(
  { room, member, threads }: Link,
  now: Timestamp,
  lastMessages: LastMessages,
): readonly ThreadInReadyObject[] {
  return threads
    .values()
    .filter((active) => canViewThread(room.guild, member, active.thread, active.member !== undefined, now))
    .map((active) => threadInReadyObject(activeThreadParts(active, lastMessages, member.accountId)))
}

/** The parts of an object for a thread that a link knows, including messages and pins since its last lookup. */
export function activeThreadParts(active: ActiveThread, lastMessages: LastMessages, viewer: AccountId): ThreadParts {
  const { last } = active.tally
  const since = lastMessages.get(active.thread.threadId)
  return { ...active, viewer, tally: { ...active.tally, last: since ? laterOf(last, since) : last } }
}

/** Whether a session is shown any thread with the guild. */
export function showsThreads({ session, threads }: Link): boolean {
  return session.threadAccess && threads.size > 0
}

/** The threads shown to sessions: their message counts change without an event. */
export function threadsKnownTo(links: Iterable<Link>): readonly ChannelId[] {
  const ids = new Set<ChannelId>()
  for (const link of links) if (showsThreads(link)) for (const id of link.threads.keys()) ids.add(id)
  return [...ids]
}

/** Updates the message counts of the threads that links know. */
export function renewTallies(links: Iterable<Link>, tallies: ReadonlyMap<ChannelId, ThreadTally>): void {
  for (const { threads } of links) {
    for (const [id, active] of threads) {
      const tally = tallies.get(id)
      if (tally) threads.set(id, { ...active, tally })
    }
  }
}

/**
 * Applies an event to the threads that links know: users know the active ones that they have joined, bots all active ones.
 * `found` is the thread at the event or later; undefined if it was deleted.
 */
export function keepThread(room: Room, { data }: Known<ThreadFact['type']>, found: FoundThread | undefined): void {
  for (const link of room.links) {
    const active = found && activeFor(link, found)
    if (active) link.threads.set(data.threadId, active)
    else link.threads.delete(data.threadId)
  }
}

function activeFor({ session, member }: Link, { thread, tally, members }: FoundThread): ActiveThread | undefined {
  const own = members.get(member.accountId)
  const isShown = !thread.archived && (session.account.bot || own !== undefined)
  return isShown ? { thread, tally, member: own } : undefined
}
