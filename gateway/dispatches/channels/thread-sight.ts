import { threadObject } from '../../../application/wire-objects/conversations/thread-objects.ts'
import type { ActiveThread } from '../../../application/ports/thread-lookups.ts'
import type { KnownEvent } from '../../visibility/known-event.ts'
import type { Lookups } from '../../visibility/lookups.ts'
import type { Session } from '../../sessions/session.ts'
import { threadSightsOf } from '../../visibility/thread-sight.ts'
import type { Link } from '../../visibility/room.ts'
import { activeThreadParts, renewTallies, threadsKnownTo } from '../../visibility/threads.ts'
import { same, type Dispatch } from '../dispatch.ts'
import type { Scene } from '../telling.ts'
import { threadGone } from './threads.ts'

/**
 * The changes that an event makes to the threads that sessions know from their guild: THREAD_CREATE, with the own membership, for
 * each thread gained, and THREAD_DELETE for each thread lost (docs/decisions, Threads that come into sight).
 */
export function threadsInSight(
  event: KnownEvent,
  scene: Scene,
): {
  readonly created: readonly Dispatch<'THREAD_CREATE'>[]
  readonly deleted: readonly Dispatch<'THREAD_DELETE'>[]
} {
  const sights = threadSightsOf(scene, event.position, scene.now)
  return {
    created: sights.flatMap(({ session, gained }) =>
      gained.map((active) => {
        const parts = activeThreadParts(active, scene.lastMessages, session.account.id)
        return told('THREAD_CREATE', session, active, threadObject(parts))
      }),
    ),
    deleted: sights.flatMap(({ session, lost }) =>
      lost.map((active) => told('THREAD_DELETE', session, active, threadGone(active.thread))),
    ),
  }
}

function told<Name extends 'THREAD_CREATE' | 'THREAD_DELETE'>(
  t: Name,
  session: Session,
  { thread: { guildId } }: ActiveThread,
  value: object,
): Dispatch<Name> {
  return { t, guildId, audience: { kind: 'sessions', sessions: [session] }, threadAccessOnly: true, body: same(value) }
}

/**
 * Looks up the current counts of the threads that links know, where an event may show them again. The function that it
 * gives stores the counts with all links of the guild.
 */
export async function freshTallies(
  lookups: Pick<Lookups, 'talliesOf'>,
  links: Iterable<Link> = [],
): Promise<(scene: Pick<Scene, 'room'>) => void> {
  const tallies = await lookups.talliesOf(threadsKnownTo(links))
  return ({ room }) => {
    if (room && tallies.size > 0) renewTallies(room.links, tallies)
  }
}
