import { jetstream, type JetStreamClient } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { EventStore, RecordedEvent } from '../../../application/ports/event-store.ts'
import type { Position } from '../../../domain/kernel/position.ts'
import { pause, unlessAborted } from '../../../application/concurrency/pauses.ts'
import { encodeMessage } from './event-message.ts'
import { layStream, streamBounds, type StreamBounds } from './event-stream.ts'
import type { EventCatalogs } from '../../../domain/aggregates.ts'
import type { PublisherCheckpoint } from './publisher-checkpoint.ts'
import { retryDelay_ms } from './retry-delay.ts'
import { streamName } from './subjects.ts'

export interface NatsPublisherSettings {
  readonly connection: NatsConnection
  readonly store: Pick<EventStore, 'follow' | 'end'>
  /** If nothing was ever published, publishing starts at the end of the store: older events are history, not news. */
  readonly checkpoint: PublisherCheckpoint
  readonly catalogs: EventCatalogs
  /** Resolves once the read models hold everything up to a position. No event is published before that. */
  readonly visible: (position: Position) => Promise<void>
  /** Called with every error. Publishing continues. */
  readonly onError: (error: unknown) => void
  readonly stream?: StreamBounds
}

/**
 * Publishes the events of the store in order, each at least once. The composition root lets one process publish at a time. A
 * second one does no harm: repeated ids are dropped, and a checkpoint is compared before it is moved.
 */
export interface NatsPublisher {
  /** NATS has acknowledged everything up to this position, and the checkpoint is saved. */
  readonly position: Position | undefined
  /** Publishes no more. Waits for the outstanding acknowledgements, at most `acknowledgement_ms_max`. */
  stop(): Promise<void>
}

/** The checkpoint is not where this publisher left it: another process publishes too. */
export class PublisherCheckpointMoved extends Error {
  override readonly name = 'PublisherCheckpointMoved'
}

/** One batch is published while the one before it is acknowledged: at most 1000 events are in flight. */
const batchEvents_max = 500
const acknowledgement_ms_max = 2000

/** Starts to publish. Returns at once: NATS and the store may come and go. */
export function startNatsPublisher(settings: NatsPublisherSettings): NatsPublisher {
  return new Publisher(settings)
}

class Publisher implements NatsPublisher {
  readonly #settings: NatsPublisherSettings
  readonly #js: JetStreamClient
  readonly #stopping = new AbortController()
  readonly #ended: Promise<void>
  #position: Position | undefined
  #failures = 0

  constructor(settings: NatsPublisherSettings) {
    this.#settings = settings
    this.#js = jetstream(settings.connection, { timeout: acknowledgement_ms_max })
    this.#ended = this.#keepPublishing(this.#stopping.signal)
  }

  get position(): Position | undefined {
    return this.#position
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#ended
  }

  async #keepPublishing(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await layStream(this.#settings.connection, this.#settings.stream ?? streamBounds)
        await this.#publishFrom(await this.#start(), signal)
      } catch (error) {
        if (!signal.aborted) this.#settings.onError(error)
      }
      await pause(retryDelay_ms(this.#failures++), signal)
    }
  }

  async #start(): Promise<Position> {
    const { checkpoint, store } = this.#settings
    const held = await checkpoint.load()
    const start = held ?? (await store.end())
    if (held === undefined) await this.#moveCheckpoint(undefined, start)
    this.#position = start
    return start
  }

  /** Publishes until the signal aborts. Rejects if an event is not acknowledged; publishing then starts again from there. */
  async #publishFrom(start: Position, signal: AbortSignal): Promise<void> {
    const { store, visible } = this.#settings
    // When a batch fails, this ends the wait for further events.
    const failed = new AbortController()
    const until = AbortSignal.any([signal, failed.signal])
    let from = start
    let before = Promise.resolve()
    try {
      for await (const events of store.follow(from, { signal: until, maxEvents: batchEvents_max })) {
        const to = events.at(-1)?.position ?? from
        await unlessAborted(visible(to), until)
        if (until.aborted) break
        const settled = this.#settle(Promise.all([before, this.#publish(events, from)]), from, to)
        settled.catch(() => failed.abort())
        await before
        before = settled
        from = to
      }
    } finally {
      // The acknowledgements under way move the checkpoint before it is loaded again.
      await Promise.allSettled([before])
    }
    await before
  }

  async #publish(events: readonly RecordedEvent[], from: Position): Promise<void> {
    const { connection, catalogs } = this.#settings
    const messageBytes_max = connection.info?.max_payload ?? messageBytes_max_stock
    let after = from
    const acknowledged = events.map((event) => {
      const { subject, eventId, headers, body } = encodeMessage(event, after, { catalogs, messageBytes_max })
      after = event.position
      return this.#js.publish(subject, body, { msgID: eventId, headers, expect: { streamName } })
    })
    await Promise.all(acknowledged)
  }

  async #settle(acknowledged: Promise<unknown>, from: Position, to: Position): Promise<void> {
    await acknowledged
    await this.#moveCheckpoint(from, to)
    this.#failures = 0
  }

  async #moveCheckpoint(from: Position | undefined, to: Position): Promise<void> {
    if (!(await this.#settings.checkpoint.move(from, to))) {
      throw new PublisherCheckpointMoved(
        `The checkpoint is not at ${from ?? 'its start'}: another publisher is at work`,
      )
    }
    this.#position = to
  }
}

/** The server's limit in its default configuration. */
const messageBytes_max_stock = 1024 ** 2
