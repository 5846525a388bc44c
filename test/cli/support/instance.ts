import { randomBytes } from 'node:crypto'
import type { PostgresConnection } from '../../../adapters/postgres/database.ts'
import { openNotifier } from '../../../adapters/postgres/notifier.ts'
import type { EventStore, RecordedEvent } from '../../../application/ports/event-store.ts'
import { beforeAll, type Position } from '../../../domain/kernel/position.ts'
import { openStore, type Store } from '../../../process/store.ts'
import { storedParts } from '../../../cli/stored-events.ts'
import type { WrappedKeys } from '../../../adapters/personal-data/wrapped-keys.ts'
import type { StoredEvents } from '../../../application/ports/stored-events.ts'
import { openDatabase } from '../../../adapters/postgres/database.ts'
import { readModels } from '../../../projections/read-models.ts'
import type { Projection } from '../../../projections/runner/projection.ts'
import { startProjections } from '../../../projections/runner/runner.ts'
import { laidDatabase, migratedDatabase } from '../../support/test-database.ts'
import { run, type Ended, type RunOptions } from './command-process.ts'
import { storedPeople } from './happenings.ts'
import { runHere } from './command-here.ts'

/** One instance of the product as its commands see it: a database with a store, and settings that name them. */
export interface Instance {
  readonly store: Store
  readonly stored: StoredEvents
  readonly keys: WrappedKeys
  /** Runs `guildhall <words>` on it in this process. It has no standard input, and no file as standard output. */
  guildhall(words: readonly string[], options?: Pick<RunOptions, 'environment'>): Promise<Ended>
  /** Runs `guildhall <words>` on it in a process of its own, which takes half a second of processor time. */
  spawned(words: readonly string[], options?: RunOptions): Promise<Ended>
  rows(statement: string): Promise<readonly Record<string, unknown>[]>
  /** Every event, as the store returns it. */
  events(): Promise<readonly RecordedEvent[]>
  /** Starts a projector, as a server would. */
  projector(projections?: readonly Projection[]): Promise<Projector>
  /** Stores the events of `count` people, the first of them `first`, in a few appends. */
  storePeople(count: number, first?: number): Promise<void>
  /** Projects up to the end of the store and stops; returns what was published. */
  project(projections?: readonly Projection[]): Promise<readonly RecordedEvent[]>
  close(): Promise<void>
}

export interface Projector {
  readonly published: readonly RecordedEvent[]
  reached(position: Position): Promise<void>
  stop(): Promise<void>
}

export interface InstanceOptions {
  readonly eventStoreUrl?: string
  /** There are no read models before a projector or a replay creates them. */
  readonly withoutTables?: boolean
}

/** Creates an instance with its events in Postgres, or in the named EventStoreDB. */
export async function instance(
  personalDataKey: Uint8Array = randomBytes(32),
  { eventStoreUrl, withoutTables = false }: InstanceOptions = {},
): Promise<Instance> {
  const { connection, database, close } = await (withoutTables ? migratedDatabase() : laidDatabase())
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  const store = await openStore({ connection, personalDataKey, eventStoreUrl, onError })
  const settings = environmentOf(connection, personalDataKey, eventStoreUrl)
  const projectors = new Set<Projector>()

  async function projector(projections = readModels): Promise<Projector> {
    const started = await startProjector(connection, store.events, projections)
    const stop = async (): Promise<void> => {
      if (projectors.delete(running)) await started.stop()
    }
    const running = { ...started, stop }
    projectors.add(running)
    return running
  }

  return {
    store,
    ...storedParts(store),
    guildhall: (words, { environment = {} } = {}) => runHere(words, { ...settings, ...environment }),
    spawned: (words, options = {}) => run(words, settings, options),
    rows: async (statement) => (await database.pool.query(statement)).rows,
    events: () => everything(store.events),
    projector,
    storePeople: (count, first) => storedPeople(storedParts(store).stored, store.keys, count, first),
    async project(projections) {
      const { published, reached, stop } = await projector(projections)
      try {
        await reached(await store.events.end())
      } finally {
        await stop()
      }
      return published
    },
    async close() {
      for (const { stop } of projectors) await stop()
      // A connection may notice the end of its database while it closes.
      const met = [...errors]
      await store.close()
      await close()
      if (met.length > 0) throw new AggregateError(met, 'The store met errors')
    },
  }
}

/** The settings with which a command finds a database and opens its personal data. */
export function environmentOf(
  connection: PostgresConnection,
  personalDataKey: Uint8Array,
  eventStoreUrl = '',
): Record<string, string> {
  const { host, port, user, database } = connection
  return {
    EVENTSTORE_URL: eventStoreUrl,
    DATABASE_URL: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host ?? '')}`,
    PERSONAL_DATA_KEY: Buffer.from(personalDataKey).toString('base64'),
  }
}

async function everything(store: EventStore): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = []
  for await (const page of store.readAll(beforeAll)) events.push(...page)
  return events
}

async function startProjector(
  connection: PostgresConnection,
  store: EventStore,
  projections: readonly Projection[],
): Promise<Projector> {
  const database = openDatabase(connection, { customPlans: true, holdsLocks: true })
  const published: RecordedEvent[] = []
  const errors: unknown[] = []
  const notifier = openNotifier({ connection, onError: (error) => errors.push(error) })
  const runner = await startProjections({
    pool: database.pool,
    notifier,
    store,
    projections,
    onCommitted: async (events) => void published.push(...events),
    onError: (error) => errors.push(error),
  })
  return {
    published,
    reached: (position) => runner.reached(position),
    async stop() {
      await runner.stop()
      await notifier.close()
      await database.close()
      if (errors.length > 0) throw new AggregateError(errors, 'Projecting met errors')
    },
  }
}
