import type { EventStore, Position, RecordedEvent } from '../../../application/ports/event-store.js'
import type { EventCodec } from '../codec.js'
import type { Connection } from './connection.js'
import { deadlineIn } from './deadlines.js'
import { EventStoreUnavailable, pauses } from './failures.js'
import { subscriptionRequest } from './read-messages.js'
import { Subscription } from './subscription.js'

export interface FollowParts {
  readonly connection: Connection
  readonly codec: EventCodec
  /** What the names of our streams begin with. */
  readonly prefixes: readonly string[]
  readonly subscribe_ms: number
  /** Told of each subscription that broke. */
  readonly onError: (error: unknown) => void
}

/**
 * Follows all our streams through one subscription after another: none comes back by itself. Each starts after what the
 * consumer has finished, which is what it had been given when it asked for more.
 */
export async function* follow(
  { connection, codec, prefixes, subscribe_ms, onError }: FollowParts,
  after: Position,
  { signal, maxEvents }: Parameters<EventStore['follow']>[1],
): AsyncGenerator<readonly RecordedEvent[]> {
  const between = pauses(signal)
  let finished = after
  while (!signal.aborted) {
    let subscription: Subscription | undefined
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
      if (!(error instanceof EventStoreUnavailable)) throw error
      onError(error)
    } finally {
      signal.removeEventListener('abort', cancel)
      subscription?.cancel()
    }
    await between.next()
  }
}
