import type { EventStore, RecordedEvent } from '../../../application/ports/event-store.ts'
import type { Position } from '../../../domain/kernel/position.ts'
import type { EventCodec } from '../codec.ts'
import type { Connection } from './connection.ts'
import { deadlineIn } from './deadlines.ts'
import { ConsumerTooSlow, EventStoreUnavailable, pauses } from './failures.ts'
import { subscriptionRequest } from './read-messages.ts'
import { Subscription } from './subscription.ts'

export interface FollowParts {
  readonly connection: Connection
  readonly codec: EventCodec
  /** The prefixes of our streams' names. */
  readonly prefixes: readonly string[]
  readonly subscribe_ms: number
  /** Called for each subscription that broke. */
  readonly onError: (error: unknown) => void
  /** Called for each subscription that the server ended because its reader was behind. */
  readonly onNotice: (text: string) => void
}

/**
 * Follows all our streams through one subscription after another: a broken subscription does not resume by itself. Each starts
 * after what the consumer has finished, which is what it held when it asked for more.
 */
export async function* follow(
  { connection, codec, prefixes, subscribe_ms, onError, onNotice }: FollowParts,
  after: Position,
  { signal, maxEvents }: Parameters<EventStore['follow']>[1],
): AsyncGenerator<readonly RecordedEvent[]> {
  const between = pauses(signal)
  const slow = slowNotices(onNotice)
  let finished = after
  while (!signal.aborted) {
    let subscription: Subscription | undefined
    const before = finished
    let isSlow = false
    const cancel = (): void => subscription?.cancel()
    signal.addEventListener('abort', cancel)
    try {
      const deadline = deadlineIn(subscribe_ms)
      const call = await connection.subscribe(subscriptionRequest(prefixes, finished), deadline)
      subscription = new Subscription(call, finished, deadline)
      for (;;) {
        const span = signal.aborted ? undefined : await subscription.next(maxEvents)
        if (!span) return
        if (span.events.length > 0) yield await codec.decodeEach(span.events)
        finished = span.upTo
        between.reset()
      }
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof EventStoreUnavailable)) throw error
      isSlow = error instanceof ConsumerTooSlow
      if (isSlow) slow.tell(finished)
      else onError(error)
    } finally {
      signal.removeEventListener('abort', cancel)
      subscription?.cancel()
    }
    // After one that delivered something, the next follows at once: a reader that is behind has no time to lose.
    if (!isSlow || finished === before) await between.next()
  }
}

const betweenNotices_ms = 10_000

/** Reports subscriptions that the server ended as too slow. A busy server up to 23.10 does that many times a second. */
function slowNotices(onNotice: (text: string) => void): { tell(finished: Position): void } {
  let count = 0
  let told_ms = Number.NEGATIVE_INFINITY
  return {
    tell(finished) {
      count += 1
      const now_ms = performance.now()
      if (now_ms - told_ms < betweenNotices_ms) return
      const since = `${count} since this was told last`
      onNotice(
        `EventStoreDB ended the subscription of a reader that was behind: it reads on after ${finished} (${since})`,
      )
      count = 0
      told_ms = now_ms
    },
  }
}
