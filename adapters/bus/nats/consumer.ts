import type { EventBus } from '../../../application/ports/event-bus.js'
import type { EventStore, Position, RecordedEvent } from '../../../application/ports/event-store.js'
import { pause, unlessAborted } from '../../../application/waiting/waiting.js'
import { inProcessBus } from '../in-process-bus.js'
import type { Deliveries } from './deliveries.js'
import { EventChain, type ChainBounds, type ChainCounts } from './event-chain.js'
import type { EventCatalogs } from '../../../domain/aggregates.js'
import { retryDelay_ms } from './retry-delay.js'

export interface NatsConsumerSettings {
  /** What NATS brings: `natsDeliveries`. */
  readonly deliveries: Deliveries
  /** The truth, which everything that NATS loses is read from. */
  readonly store: Pick<EventStore, 'readAll' | 'end'>
  readonly catalogs: EventCatalogs
  /** Resolves once the read models hold everything up to a position: nothing is handed on before. */
  readonly visible: (position: Position) => Promise<void>
  /** Told of what went wrong; consuming goes on by itself. */
  readonly onError: (error: unknown) => void
  readonly bounds?: Partial<ConsumerBounds>
}

export interface ConsumerBounds extends ChainBounds {
  /** How long NATS may bring nothing of what the store holds, before it is read there: NATS may lose the newest event, or stop. */
  readonly silence_ms: number
}

const silence_ms_stock = 1000

/** The listening side of an event bus, for a process that does not publish. */
export interface NatsConsumer extends Pick<EventBus, 'subscribe'> {
  /** Everything up to here was handed on. */
  readonly handled: Position
  readonly counts: Readonly<ChainCounts>
  stop(): Promise<void>
}

/**
 * Hands on every event from now on, once, in order, with or without NATS. Resolves once the read models hold all events before:
 * what is read from them after that, and what is handed on, have no gap between them. Rejects as `visible` and the store do.
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

/** A subscriber that throws is not to stop the others' events for good. */
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

/** Compares what was handled with what the store holds, since nothing that arrives tells of a loss at the end. */
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
