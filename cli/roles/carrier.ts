import { closeNats, connectNats } from '../../adapters/bus/nats/connect.js'
import { startNatsConsumer } from '../../adapters/bus/nats/consumer.js'
import { NatsUnavailable, orNatsUnavailable } from '../../adapters/bus/nats/nats-unavailable.js'
import { natsDeliveries } from '../../adapters/bus/nats/deliveries.js'
import { openPublisherCheckpoint } from '../../adapters/bus/nats/postgres-publisher-checkpoint.js'
import { startNatsPublisher } from '../../adapters/bus/nats/publisher.js'
import { inProcessBus } from '../../adapters/bus/in-process-bus.js'
import { eventCatalogs } from '../../domain/aggregates.js'
import type { PostgresDatabase } from '../../adapters/postgres/database.js'
import type { EventBus } from '../../application/ports/event-bus.js'
import type { EventStore } from '../../application/ports/event-store.js'
import type { ReadModels } from '../../application/ports/read-models.js'
import type { ProjectionSettings } from '../../projections/runner/runner.js'
import type { ClosingList } from '../closing-list.js'
import { ServerAway } from '../server-away.js'

/** Carries events from the projecting process to those that react to them. */
export interface Carrier extends Pick<ProjectionSettings, 'onCommitted' | 'whileLeading'> {
  /** Delivers every event from now on. Rejects with ReadModelsBehind if the read models are not up to date in time. */
  listen(readModels: ReadModels): Promise<Pick<EventBus, 'subscribe'>>
}

/** For one process that plays every role. */
export function inProcessCarrier(): Carrier {
  const bus = inProcessBus()
  return {
    onCommitted: (events) => bus.publish(events),
    listen: () => Promise.resolve(bus),
  }
}

export interface NatsCarrierSettings {
  readonly servers: readonly string[]
  /** Shown in the server's list of connections. */
  readonly name: string
  readonly store: EventStore
  readonly database: PostgresDatabase
  readonly closings: ClosingList
  readonly onError: (error: unknown) => void
}

/**
 * Over NATS: the process that leads the projections publishes the events that they hold, and each listener reads what NATS
 * loses from the store. Rejects if no server answers, with ServerAway if waiting may help.
 */
export async function natsCarrier({ servers, name, store, database, closings, onError }: NatsCarrierSettings) {
  const connection = await connectNats({ servers, name }).catch(namingTheSetting)
  closings.add(() => closeNats(connection))
  const checkpoint = openPublisherCheckpoint(database)
  const shared = {
    connection,
    store,
    catalogs: eventCatalogs,
    onError: (error: unknown) => onError(orNatsUnavailable(error)),
  }
  const carrier: Carrier = {
    onCommitted: () => Promise.resolve(),
    whileLeading(readModels) {
      const visible = readModels.reached.bind(readModels)
      const publisher = startNatsPublisher({ ...shared, checkpoint, visible })
      return () => publisher.stop()
    },
    async listen(readModels) {
      const consumer = await startNatsConsumer({
        ...shared,
        deliveries: natsDeliveries(shared),
        visible: readModels.reached.bind(readModels),
      })
      closings.add(() => consumer.stop())
      return consumer
    },
  }
  return { carrier, connection }
}

/** The message names the setting, because an operator does not know the connection. */
function namingTheSetting(error: unknown): never {
  const why = error instanceof Error ? error.message : String(error)
  const message = `NATS_URL: no server could be connected to: ${why}`
  if (error instanceof NatsUnavailable) throw new ServerAway('NATS_URL', message, { cause: error })
  throw new Error(message, { cause: error })
}
