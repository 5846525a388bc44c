import { setTimeout as pause } from 'node:timers/promises'
import type { NatsConnection } from '@nats-io/transport-node'
import { connectNats } from '../../../../adapters/bus/nats/connect.ts'
import { startNatsConsumer, type ConsumerBounds, type NatsConsumer } from '../../../../adapters/bus/nats/consumer.ts'
import { natsDeliveries, type Deliveries } from '../../../../adapters/bus/nats/deliveries.ts'
import type { CarriedEvent } from '../../../../adapters/bus/nats/event-message.ts'
import { startNatsPublisher, type NatsPublisher } from '../../../../adapters/bus/nats/publisher.ts'
import {
  memoryPublisherCheckpoint,
  type PublisherCheckpoint,
} from '../../../../adapters/bus/nats/publisher-checkpoint.ts'
import { eventCatalogs } from '../../../../domain/aggregates.ts'
import { memoryEventStore, type MemoryEventStore } from '../../../support/memory/memory-event-store.ts'
import { memoryPersonalDataKeys } from '../../../support/memory/memory-keys.ts'
import { beforeAll, noStream, type Position } from '../../../../domain/kernel/position.ts'
import { anyStream, newEvents } from '../../../contract/sample-events.ts'
import { closingList } from '../../../../process/closing-list.ts'
import { eventually } from './heard.ts'

export type Receive = (carried: CarriedEvent) => void

export interface ConsumerOptions {
  readonly bounds?: Partial<ConsumerBounds>
  /** Sits between NATS and the consumer. */
  readonly fault?: (receive: Receive) => Receive
}

/** A store, and publishers and consumers of its events over one NATS server. */
export interface NatsColumn {
  readonly store: MemoryEventStore
  readonly errors: unknown[]
  connect(): Promise<NatsConnection>
  publisher(connection: NatsConnection, more?: PublisherOptions): NatsPublisher
  consumer(connection: NatsConnection, options?: ConsumerOptions): Promise<NatsConsumer>
  append(count: number): Promise<Position>
  /** Appends until NATS has delivered something to a consumer, which may start before the stream exists. */
  warmUp(consumer: NatsConsumer): Promise<void>
  close(): Promise<void>
}

export interface PublisherOptions {
  readonly checkpoint?: PublisherCheckpoint
  readonly visible?: (position: Position) => Promise<void>
}

export const memoryStore = (): MemoryEventStore => memoryEventStore({ keys: memoryPersonalDataKeys() })

/** Short bounds, so that tests of silence do not wait long. */
const quickBounds: Partial<ConsumerBounds> = { silence_ms: 200 }

const visible = (): Promise<void> => Promise.resolve()

export function natsColumn(url: string, store = memoryStore()): NatsColumn {
  const closings = closingList()
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  const append = async (count: number): Promise<Position> => {
    await store.append(anyStream(), noStream, newEvents(count))
    return store.end()
  }
  return {
    store,
    errors,
    async connect() {
      const connection = await connectNats({ servers: [url], name: 'test' })
      closings.add(() => connection.close())
      return connection
    },
    publisher(connection, more = {}) {
      const checkpoint = memoryPublisherCheckpoint(beforeAll)
      const publisher = startNatsPublisher({
        connection,
        store,
        checkpoint,
        visible,
        catalogs: eventCatalogs,
        onError,
        ...more,
      })
      closings.add(() => publisher.stop())
      return publisher
    },
    async consumer(connection, { bounds, fault } = {}) {
      const honest = natsDeliveries({ connection, catalogs: eventCatalogs, onError })
      const deliveries: Deliveries = fault ? (receive) => honest(fault(receive)) : honest
      const consumer = await startNatsConsumer({
        deliveries,
        store,
        catalogs: eventCatalogs,
        visible,
        onError,
        bounds: { ...quickBounds, ...bounds },
      })
      closings.add(() => consumer.stop())
      return consumer
    },
    append,
    async warmUp(consumer) {
      const { received_events } = consumer.counts
      await eventually('NATS to bring an event', async () => {
        await append(1)
        await pause(20)
        return consumer.counts.received_events > received_events
      })
      const end = await store.end()
      await eventually('the consumer to be up to date', () => consumer.handled >= end)
    },
    close: () => closings.close(),
  }
}
