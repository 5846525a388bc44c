import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import type { PostgresConnection } from '../../../adapters/postgres/database.js'
import { uuid7 } from '../../../application/commands/derive-id.js'
import {
  beforeAll,
  noStream,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '../../../application/ports/event-store.js'
import { openStore, type Store } from '../../../cli/store.js'
import { storedParts } from '../../../cli/stored-events.js'
import type { WrappedKeys } from '../../../adapters/personal-data/wrapped-keys.js'
import type { StoredEvents } from '../../../application/ports/stored-events.js'
import { openDatabase } from '../../../adapters/postgres/database.js'
import { streamName, type StreamName } from '../../../domain/kernel/streams.js'
import { timestamp } from '../../../domain/kernel/timestamp.js'
import { readModels } from '../../../projections/read-models.js'
import type { Projection } from '../../../projections/runner/projection.js'
import { startProjections } from '../../../projections/runner/runner.js'
import {
  account,
  created,
  guild,
  joined,
  registered,
  withChannel,
  someChannel,
} from '../../projections/support/people.js'
import { claimed } from '../../projections/support/tallies.js'
import type { AnyEvent } from '../../projections/support/world.js'
import { testDatabase } from '../../support/test-database.js'

/** One instance of the product as its commands see it: a database with a store, and settings that name them. */
export interface Instance {
  readonly store: Store
  readonly stored: StoredEvents
  readonly keys: WrappedKeys
  /** Runs `guildhall <words>` on it in a process of its own. */
  guildhall(words: readonly string[], options?: RunOptions): Promise<Ended>
  rows(statement: string): Promise<readonly Record<string, unknown>[]>
  /** Every event, as the store gives it. */
  events(): Promise<readonly RecordedEvent[]>
  /** Starts a projector, as a server would. */
  projector(projections?: readonly Projection[]): Promise<Projector>
  /** Projects up to the end of the store and stops; gives what was published. */
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
}

export interface RunOptions {
  readonly input?: string | Uint8Array
  readonly environment?: Readonly<Record<string, string>>
  /** Resolves when the process is to be killed. */
  readonly killWhen?: () => Promise<void>
}

export interface Ended {
  /** Null where a signal ended it. */
  readonly code: number | null
  readonly output: string
  readonly said: string
}

/** A new one: with its events in Postgres, or in the EventStoreDB that is named. */
export async function instance(
  personalDataKey: Uint8Array = randomBytes(32),
  { eventStoreUrl }: InstanceOptions = {},
): Promise<Instance> {
  const { connection, database, close } = await testDatabase()
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
    guildhall: (words, options = {}) => run(words, settings, options),
    rows: async (statement) => (await database.pool.query(statement)).rows,
    events: () => everything(store.events),
    projector,
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
      // A connection may meet the end of its database while it closes.
      const met = [...errors]
      await store.close()
      await close()
      if (met.length > 0) throw new AggregateError(met, 'The store met errors')
    },
  }
}

/** The settings under which a command finds a database and opens its personal data. */
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

const program = path.resolve(import.meta.dirname, '../../../dist/cli/guildhall.js')

/** What the one who runs the tests has set is not for the commands. */
const unset = { EVENTSTORE_URL: '', NATS_URL: '' }

/** Runs the command line as an operator does: built, in a process of its own. */
export async function run(
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
  { input, environment = {}, killWhen }: RunOptions = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...words], {
    cwd: '/',
    env: { ...process.env, ...unset, HTTP_PORT: '0', LOG_LEVEL: 'info', ...settings, ...environment },
  })
  const texts = { output: '', said: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.said += text))
  // One that refuses its input closes it.
  child.stdin.on('error', (error) => (texts.said += error.message === 'write EPIPE' ? '' : error.message))
  child.stdin.end(input)
  const closed = once(child, 'close')
  if (killWhen) {
    await killWhen()
    child.kill('SIGKILL')
  }
  await closed
  return { code: child.exitCode, ...texts }
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
  const database = openDatabase(connection, { customPlans: true })
  const published: RecordedEvent[] = []
  const errors: unknown[] = []
  const runner = await startProjections({
    pool: database.pool,
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
      await database.close()
      if (errors.length > 0) throw new AggregateError(errors, 'Projecting met errors')
    },
  }
}

/** Appends events to a stream, whatever its revision; gives the position of the last. */
export async function happens(
  store: EventStore,
  stream: StreamName,
  ...events: readonly AnyEvent[]
): Promise<Position> {
  let revision = noStream
  for await (const page of store.readStream(stream, noStream)) revision = page.at(-1)?.revision ?? revision
  const now = Date.now()
  const recorded = events.map((event) => ({
    ...event,
    metadata: {
      eventId: uuid7(now, randomBytes(10)),
      at: timestamp(now),
      actor: { kind: 'system', name: 'test' } as const,
      correlationId: randomUUID(),
      causationId: randomUUID(),
    },
  }))
  const result = await store.append(stream, revision, recorded)
  if (result.outcome !== 'appended') throw new Error(`${stream} was not appended to: ${result.outcome}`)
  return result.position
}

/** What happens to one person: five events. */
export async function person(store: EventStore, number: number): Promise<void> {
  await Promise.all([
    happens(store, streamName('handle', `user${number}`), claimed(`user${number}`, number)),
    happens(store, streamName('account', account(number)), registered(number)),
    happens(
      store,
      streamName('guild', guild(number)),
      created(number, account(number)),
      withChannel(number, someChannel(1, 0)),
    ),
    happens(store, streamName('membership', `${guild(number)}-${account(number)}`), joined(number, number)),
  ])
}

/** Some people, `count` of them, the first of them `first`. */
export async function people(store: EventStore, count: number, first = 1): Promise<void> {
  for (let number = first; number < first + count; number += 50) {
    const numbers = Array.from({ length: Math.min(50, first + count - number) }, (_, index) => number + index)
    await Promise.all(numbers.map((each) => person(store, each)))
  }
}
