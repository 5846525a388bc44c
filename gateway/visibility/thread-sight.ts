import type { ActiveThread } from '../../application/ports/thread-lookups.ts'
import type { Position } from '../../domain/kernel/position.ts'
import type { Guild } from '../../domain/guild/state.ts'
import type { ChannelId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { Membership } from '../../domain/membership/state.ts'
import { viewsThread } from '../../domain/thread/views-thread.ts'
import type { Session } from '../sessions/session.ts'
import type { Link } from './room.ts'
import { touchedBy, type Touched } from './sight.ts'
import { permissionsAbove } from './threads.ts'
import type { Change } from './world.ts'

/** What an event changed in the threads that a session is shown with the guild. */
export interface ThreadSight {
  readonly session: Session
  readonly gained: readonly ActiveThread[]
  readonly lost: readonly ActiveThread[]
}

/**
 * The threads of guild ready objects (active ones that a user has joined, all active ones for a bot) that a session
 * gained or lost without an event of their own: their channel was deleted, or came into or out of view, or the session
 * became a thread moderator or no longer is one. Only for sessions with thread access and a change.
 */
export function threadSightsOf(change: Change, position: Position, now: Timestamp): readonly ThreadSight[] {
  return touchedBy(change, position).flatMap((touched) => {
    const showing = touched.links.filter(({ session, threads }) => session.threadAccess && threads.size > 0)
    if (showing.length === 0) return []
    const viewed = viewsOf(touched, now)
    return showing.map(viewed).filter(({ gained, lost }) => gained.length + lost.length > 0)
  })
}

/** Judges links with the same rights: the rights in each thread's channel are computed once for all of them. */
function viewsOf({ links: [first], was, now, memberships }: Touched, at: Timestamp): (link: Link) => ThreadSight {
  const before = masksOf(was, memberships?.get(first) ?? first.member)
  const after = masksOf(now, first.member)
  return (link) => {
    const { session, threads, member } = link
    const memberBefore = memberships?.get(link) ?? member
    const gained: ActiveThread[] = []
    const lost: ActiveThread[] = []
    for (const active of threads.values()) {
      const { parentId, threadType } = active.thread
      const about = { threadType, hasJoined: active.member !== undefined, now: at }
      const did = viewsThread(before(parentId), memberBefore, about)
      const does = viewsThread(after(parentId), member, about)
      if (does && !did) gained.push(active)
      if (did && !does) lost.push(active)
    }
    return { session, gained, lost }
  }
}

function masksOf(guild: Guild, member: Membership): (parentId: ChannelId) => bigint {
  const masks = new Map<ChannelId, bigint>()
  return (parentId) => {
    const mask = masks.get(parentId) ?? permissionsAbove(guild, member, parentId)
    masks.set(parentId, mask)
    return mask
  }
}
