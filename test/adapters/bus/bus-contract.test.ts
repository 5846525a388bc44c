import { jetstreamManager } from '@nats-io/jetstream'
import { afterAll, beforeAll, describe } from 'vitest'
import { inProcessBus } from '../../../adapters/bus/in-process-bus.ts'
import { streamName } from '../../../adapters/bus/nats/subjects.ts'
import { collect } from '../../contract/sample-events.ts'
import { natsIsMissing, natsSuite, startNatsServer, type NatsServer } from '../../support/nats-server.ts'
import { appendAnywhere, busContract } from './support/bus-contract.ts'
import { memoryStore, natsColumn } from './support/nats-column.ts'

busContract('The bus of one process', async () => {
  const [bus, store] = [inProcessBus(), memoryStore()]
  return {
    bus,
    store,
    async tell(events) {
      const before = await store.end()
      const position = await appendAnywhere(store, events)
      await bus.publish(await collect(store.readAll(before)))
      return position
    },
    close: () => Promise.resolve(),
  }
})

describe.skipIf(natsIsMissing)(natsSuite('With a nats-server'), () => {
  let server: NatsServer
  beforeAll(async () => {
    server = await startNatsServer()
  })
  afterAll(() => server.stop())

  busContract('NATS', async () => {
    const column = natsColumn(server.url)
    const connection = await column.connect()
    column.publisher(connection)
    return {
      bus: await column.consumer(connection),
      store: column.store,
      tell: (events) => appendAnywhere(column.store, events),
      async close() {
        await column.close()
        const cleaner = await natsColumn(server.url).connect()
        await (await jetstreamManager(cleaner)).streams.delete(streamName)
        await cleaner.close()
      },
    }
  })
})
