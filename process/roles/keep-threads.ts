import { followAlone } from '../../adapters/followers/follow-alone.ts'
import { archiveIdleThreads } from '../../application/conversations/threads/archive-idle-threads.ts'
import {
  concernsThreads,
  tendThreads,
  type ThreadTendingNeeds,
} from '../../application/conversations/threads/tend-threads.ts'
import type { Ports } from '../../application/ports.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import type { Base } from './base.ts'
import { repeatedly } from './repeatedly.ts'

/** The longest delay of a thread's automatic archiving. */
const archiving_ms = 30_000

/** One worker at a time updates threads after changes in their guilds. Each worker archives idle threads. */
export async function keepThreads(
  { closings, elector, store, onError }: Base,
  ports: ThreadTendingNeeds & Pick<Ports, 'events'>,
): Promise<void> {
  const follower = followAlone({
    name: 'threads',
    elector,
    store: store.events,
    isMeant: concernsThreads,
    handle: tendThreads(ports),
    onError,
  })
  closings.add(() => follower.stop())
  const archive = archiveIdleThreads(ports)
  const rounds = repeatedly(archiving_ms, () => archive(timestamp(Date.now())), onError)
  closings.add(() => rounds.stop())
}
