import { closeNats, connectNats } from '../../adapters/bus/nats/connect.ts'
import { startNatsConsumer } from '../../adapters/bus/nats/consumer.ts'
import { natsDeliveries } from '../../adapters/bus/nats/deliveries.ts'
import { natsSignals } from '../../adapters/bus/nats/nats-signals.ts'
import { NatsUnavailable, orNatsUnavailable } from '../../adapters/bus/nats/nats-unavailable.ts'
import { openPublisherCheckpoint } from '../../adapters/bus/nats/postgres-publisher-checkpoint.ts'
import { startNatsPublisher } from '../../adapters/bus/nats/publisher.ts'
import type { PostgresDatabase } from '../../adapters/postgres/database.ts'
import type { EventStore } from '../../application/ports/event-store.ts'
import { eventCatalogs } from '../../domain/aggregates.ts'
import type { ClosingList } from '../closing-list.ts'
import { ServerAway } from '../server-away.ts'
import type { Carrier } from './carrier.ts'

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
  return { carrier, signals: natsSignals({ connection, onError }), answers: () => connection.rtt() }
}

/** The message names the setting, because an operator does not know the connection. */
function namingTheSetting(error: unknown): never {
  const why = error instanceof Error ? error.message : String(error)
  const message = `NATS_URL: no server could be connected to: ${why}`
  if (error instanceof NatsUnavailable) throw new ServerAway('NATS_URL', message, { cause: error })
  throw new Error(message, { cause: error })
}
