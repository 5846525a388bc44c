import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type pg from 'pg'
import { openPostgresEventStore } from '../../adapters/event-store/postgres/open-event-store.js'
import { memoryPersonalDataKeys } from '../../adapters/personal-data/memory-keys.js'
import { openDatabase } from '../../adapters/postgres/database.js'
import { startEmbeddedPostgres, type Connection } from '../../adapters/postgres/embedded/start.js'
import { uuid7 } from '../../application/commands/derive-id.js'
import { noStream, type EventStore, type NewEvent } from '../../application/ports/event-store.js'
import { accountId } from '../../domain/ids/ids.js'
import { snowflake } from '../../domain/ids/snowflake.js'
import { streamName, type StreamName } from '../../domain/kernel/streams.js'
import { timestamp } from '../../domain/kernel/timestamp.js'
import { measureCores, postgresProcesses } from '../support/cpu.js'
import type { LineSettings } from '../support/line.js'
import { openPool } from '../support/pool.js'
import { compare, quantile, type Comparison, type Sample } from '../support/rounds.js'
import { scratch } from '../support/scratch.js'

const writerCounts = [1, 8, 32] as const
const target = { 1: undefined, 8: undefined, 32: 2 } as const
const warmUp_s = 1

/** The table of the baseline has the very columns and indexes of the store's. */
const rawTable = `
  create schema bench;
  create table bench.events (like event_store.events including all)`
const rawInsert = `insert into bench.events (stream, revision, event_id, type, data, metadata) values ($1, $2, $3, $4, $5, $6)`

interface Event {
  readonly stream: StreamName
  readonly event: NewEvent
}

/** Appends to the embedded store by a number of writers, beside autocommitted INSERTs of the same bytes by as many. */
export async function appendsLine({ seconds, rounds }: LineSettings): Promise<readonly Comparison[]> {
  const place = scratch()
  const postgres = await startEmbeddedPostgres({ folder: path.join(place.folder, 'postgres') })
  try {
    return await onPostgres(postgres.connection, { seconds, rounds })
  } finally {
    await postgres.stop()
    place.remove()
  }
}

async function onPostgres(connection: Connection, { seconds, rounds }: LineSettings): Promise<readonly Comparison[]> {
  const database = openDatabase(connection)
  const store = await openPostgresEventStore({ database, connection, keys: memoryPersonalDataKeys() })
  const raw = openPool(connection, Math.max(...writerCounts))
  try {
    await raw.query(rawTable)
    const cores = await postgresProcesses(raw)
    const comparisons: Comparison[] = []
    for (const writers of writerCounts) {
      const measured = (write: (event: Event) => Promise<unknown>, for_s: number) =>
        written({ write, writers, postgres: cores, seconds: for_s })
      const product = (for_s = seconds) => measured(appendTo(store), for_s)
      const baseline = (for_s = seconds) => measured(insertInto(raw), for_s)
      await baseline(warmUp_s)
      await product(warmUp_s)
      const line = `appends, ${writers} writer${writers === 1 ? '' : 's'}`
      const sides = { line, unit: 'events/s', rounds, baseline: () => baseline(), product: () => product() }
      const aim = target[writers]
      comparisons.push(await compare(aim === undefined ? sides : { ...sides, target: aim }))
    }
    return comparisons
  } finally {
    await store.close()
    await raw.end()
    await database.close()
  }
}

const appendTo =
  (store: EventStore) =>
  async ({ stream, event }: Event): Promise<void> => {
    const { outcome } = await store.append(stream, noStream, [event])
    if (outcome !== 'appended') throw new Error(`${stream}: ${outcome}`)
  }

const insertInto =
  (pool: pg.Pool) =>
  ({ stream, event: { type, data, metadata } }: Event): Promise<unknown> => {
    const { eventId, ...rest } = metadata
    const stored = JSON.stringify({ ...rest, schemaVersion: 1 })
    return pool.query({
      name: 'raw',
      text: rawInsert,
      values: [stream, 0, eventId, type, JSON.stringify(data), stored],
    })
  }

interface Writing {
  readonly write: (event: Event) => Promise<unknown>
  readonly writers: number
  readonly seconds: number
  readonly postgres: () => readonly number[]
}

/** Each writer writes one event after another, each to a stream of its own, as Create invite does. */
async function written({ write, writers, seconds, postgres }: Writing): Promise<Sample> {
  const cores = measureCores({ writers: () => [process.pid], postgres })
  const latencies: number[] = []
  const began = performance.now()
  const deadline = began + seconds * 1000
  async function run(): Promise<void> {
    for (let now = began; now < deadline;) {
      const sent = performance.now()
      await write(inviteCreated())
      now = performance.now()
      latencies.push(now - sent)
    }
  }
  await Promise.all(Array.from({ length: writers }, run))
  const elapsed = (performance.now() - began) / 1000
  const sorted = latencies.toSorted((a, b) => a - b)
  const details = { count: latencies.length, p50_ms: quantile(sorted, 0.5), p99_ms: quantile(sorted, 0.99) }
  return { rate: latencies.length / elapsed, cores: cores(), details }
}

const guild = snowflake('1444000000000000001')
const channel = snowflake('1444000000000000002')
const inviter = accountId(snowflake('1444000000000000003'))

/** A new event for a new stream. */
function inviteCreated(): Event {
  const now = Date.now()
  const random = randomBytes(18)
  const code = random.toString('base64url')
  const eventId = uuid7(now, random.subarray(0, 10))
  const at = timestamp(now)
  const data = {
    code,
    guildId: guild,
    channelId: channel,
    inviterId: inviter,
    maxUses: 10,
    maxAge: 86_400,
    temporary: false,
    createdAt: at,
  }
  const metadata = {
    eventId,
    at,
    actor: { kind: 'account', id: inviter },
    correlationId: eventId,
    causationId: eventId,
  } as const
  return { stream: streamName('invite', code), event: { type: 'InviteCreated', data, metadata } }
}
