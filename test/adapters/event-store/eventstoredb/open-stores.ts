import { EventStoreDBClient, START } from '@eventstore/db-client'
import { beforeAll, type Position } from '../../../../domain/kernel/position.ts'
import {
  openEventStoreDb,
  type EventStoreDb,
  type EventStoreDbSettings,
} from '../../../../adapters/event-store/eventstoredb/open-event-store.ts'
import { memoryPersonalDataKeys } from '../../../support/memory/memory-keys.ts'
import { onTestFailed } from 'vitest'
import { chance, type Chance } from '../../../support/load-random.ts'
import { startEventStoreDouble, type EventStoreDouble } from '../../../support/eventstoredb-double/double.ts'

/** A double, and stores on it that know nothing of each other, like those of several processes. */
export interface OpenStores {
  readonly double: EventStoreDouble
  open(settings?: Partial<EventStoreDbSettings>): Promise<EventStoreDb>
  close(): Promise<void>
}

export async function openStores(): Promise<OpenStores> {
  const double = await startEventStoreDouble()
  const stores: EventStoreDb[] = []
  return {
    double,
    async open(settings) {
      const store = await openEventStoreDb({ url: double.url, keys: memoryPersonalDataKeys(), ...settings })
      stores.push(store)
      return store
    },
    async close() {
      double.faults.goOn()
      await Promise.all(stores.map((store) => store.close()))
      await double.close()
    },
  }
}

/** Randomness for one test. If the test fails, it prints the seed; CHANCE_SEED repeats it. */
export function seededChance(): Chance {
  const seed = Number(process.env['CHANCE_SEED'] ?? Date.now() % 2 ** 31)
  onTestFailed(() => void process.stderr.write(`CHANCE_SEED=${seed}\n`))
  return chance(seed)
}

/** Everything in the log from a position on, as the client's own methods read it. */
export async function storedText(url: string, from: Position = beforeAll): Promise<string> {
  const client = EventStoreDBClient.connectionString(url)
  const lines: string[] = []
  for await (const { event } of client.readAll({
    fromPosition: from === beforeAll ? START : { commit: from, prepare: from },
  })) {
    if (event) lines.push(JSON.stringify([event.streamId, event.type, event.data, event.metadata]))
  }
  await client.dispose()
  return lines.join('\n')
}
