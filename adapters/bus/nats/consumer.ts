import type { EventBus } from '../../../application/ports/event-bus.ts'
import type { EventStore, RecordedEvent } from '../../../application/ports/event-store.ts'
import type { Position } from '../../../domain/kernel/position.ts'
import { pause, unlessAborted } from '../../../application/concurrency/pauses.ts'
import { inProcessBus } from '../in-process-bus.ts'
import type { Deliveries } from './deliveries.ts'
import { EventChain, type ChainBounds, type ChainCounts } from './event-chain.ts'
import type { EventCatalogs } from '../../../domain/aggregates.ts'
import { retryDelay_ms } from './retry-delay.ts'

export interface NatsConsumerSettings {
  /** The events that NATS delivers: `natsDeliveries`. */
  readonly deliveries: Deliveries
  /** The source of truth. Events that NATS loses are read from here. */
  readonly store: Pick<EventStore, 'readAll' | 'end'>
  readonly catalogs: EventCatalogs
  /** Resolves once the read models hold everything up to a position. No event is handed on before that. */
  readonly visible: (position: Position) => Promise<void>
  /** Called with every error. Consuming continues. */
  readonly onError: (error: unknown) => void
  readonly bounds?: Partial<ConsumerBounds>
}

export interface ConsumerBounds extends ChainBounds {
  /**
   * How long NATS may stay silent while the store holds newer events. After that they are read from the store: NATS may lose
   * the newest event, or stop.
   */
  readonly silence_ms: number
}

const silence_ms_stock = 1000

/** The listening side of an event bus, for a process that does not publish. */
export interface NatsConsumer extends Pick<EventBus, 'subscribe'> {
  /** The position up to which every event was handed on. */
  readonly handled: Position
  readonly counts: Readonly<ChainCounts>
  stop(): Promise<void>
}

/**
 * Hands on every event from now on, once and in order, with or without NATS. Resolves once the read models hold all earlier
 * events, so there is no gap between what is read from them afterwards and what is handed on. Rejects as `visible` and the
 * store do.
 */
export async function startNatsConsumer(settings: NatsConsumerSettings): Promise<NatsConsumer> {
  const { store, visible, onError } = settings
  const start = await store.end()
  await visible(start)
  const bus = inProcessBus()
  const chain = new EventChain({ ...settings, start, deliver: (events) => handOn(bus, events, onError) })
  const carrier = settings.deliveries((carried) => chain.receive(carried))
  const stopping = new AbortController()
  const ended = watchForSilence({ ...settings, chain, renew: () => carrier.renew() }, stopping.signal)
  return {
    subscribe: (handle) => bus.subscribe(handle),
    get handled() {
      return chain.handled
    },
    counts: chain.counts,
    async stop() {
      stopping.abort()
      await Promise.all([chain.stop(), carrier.stop(), ended])
    },
  }
}

/** A subscriber that throws must not stop events for the others for good. */
function handOn(bus: EventBus, events: readonly RecordedEvent[], onError: (error: unknown) => void): void {
  try {
    bus.publish(events).catch(onError)
  } catch (error) {
    onError(error)
  }
}

interface Watch extends NatsConsumerSettings {
  readonly chain: EventChain
  readonly renew: () => void
}

/**
 * Compares the handled position with the end of the store: an event lost at the end leaves no gap that a later event could
 * show.
 */
async function watchForSilence(watch: Watch, signal: AbortSignal): Promise<void> {
  const silence_ms = watch.bounds?.silence_ms ?? silence_ms_stock
  let failures = 0
  while (!signal.aborted) {
    try {
      await look(watch, silence_ms, signal)
      failures = 0
    } catch (error) {
      if (!signal.aborted) watch.onError(error)
      await pause(retryDelay_ms(failures++), signal)
    }
  }
}

async function look({ chain, store, visible, renew }: Watch, silence_ms: number, signal: AbortSignal): Promise<void> {
  const { received_events } = chain.counts
  const end = await store.end()
  await pause(silence_ms, signal)
  if (signal.aborted || chain.handled >= end) return
  await unlessAborted(visible(end), signal)
  const isSilent = chain.counts.received_events === received_events
  await chain.refill(end)
  if (isSilent) renew()
}
