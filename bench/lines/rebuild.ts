import path from 'node:path'
import type pg from 'pg'
import { openStore, type Store } from '../../process/store.ts'
import { openDatabase } from '../../adapters/postgres/database.ts'
import { startEmbeddedPostgres, type Connection } from '../../adapters/postgres/embedded/start.ts'
import type { RecordedEvent } from '../../application/ports/event-store.ts'
import { beforeAll } from '../../domain/kernel/position.ts'
import { readModels } from '../../projections/read-models.ts'
import { buildInto, createUnregistered } from '../../projections/runner/build.ts'
import { rebuildBatches } from '../../projections/runner/event-batches.ts'
import { setUpRegistry } from '../../projections/runner/registry.ts'
import { compareSchemas } from '../../projections/runner/rows/compare.ts'
import { measureCores, postgresProcesses } from '../support/cpu.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, type Comparison, type Sample } from '../support/rounds.ts'
import { scratch } from '../support/scratch.ts'
import { rawStatements, writeRaw, type RawStatement } from '../rebuild/raw-upserts.ts'
import { rowBatches } from '../rebuild/row-states.ts'
import { seedHistory } from '../rebuild/seed-history.ts'

const rawPrefix = 'raw_'
const builtPrefix = 'built_'

/** Rebuilding all read models from the first event, beside raw batched upserts of the same rows. */
export async function rebuildLine({ rounds, events: events_min }: LineSettings): Promise<Comparison> {
  const place = scratch()
  const postgres = await startEmbeddedPostgres({ folder: path.join(place.folder, 'postgres') })
  try {
    const personalDataKey = new Uint8Array(32).fill(7)
    const onError = (error: unknown): void => console.error(error)
    const store = await openStore({ connection: postgres.connection, personalDataKey, onError })
    try {
      return await withHistory(store, postgres.connection, { rounds, events_min })
    } finally {
      await store.close()
    }
  } finally {
    await postgres.stop()
    place.remove()
  }
}

async function withHistory(
  store: Store,
  connection: Connection,
  { rounds, events_min }: { readonly rounds: number; readonly events_min: number },
): Promise<Comparison> {
  const began = performance.now()
  const events = await seedHistory(store.events, events_min)
  console.log(`  ${events} events written in ${Math.round(performance.now() - began)} ms`)
  const raw = await prepared(store)
  // As for the product's own projections: statements are planned for their values.
  const database = openDatabase(connection, { connections_max: 2, customPlans: true, holdsLocks: true })
  const client = await database.pool.connect()
  try {
    const postgres = await postgresProcesses(database.pool)
    const measured = (work: () => Promise<void>) => timed(work, events, postgres)
    // Both begin with empty tables that they make themselves.
    const baseline = () =>
      measured(async () => {
        await createUnregistered(client, rawPrefix, readModels)
        await writeRaw(client, raw)
      })
    const product = () => measured(() => build(client, store))
    await baseline()
    await product()
    const compared = await compare({ line: 'rebuild', unit: 'events/s', target: 0.5, rounds, baseline, product })
    await proveEqual(client)
    const statements = raw.reduce((sum, batch) => sum + batch.length, 0)
    return {
      ...compared,
      notes: [
        `${events} events into ${readModels.length} read models, in batches of about ${Math.round(events / raw.length)} events; the baseline sends ${statements} statements`,
        'both sides leave the same rows (compared at the end); the baseline reads, decodes and decides nothing',
      ],
    }
  } finally {
    client.release()
    await database.close()
  }
}

/** On a connection without beats: computing the rows takes longer than Postgres waits for one. */
async function prepared(store: Store): Promise<readonly (readonly RawStatement[])[]> {
  const client = await store.database.pool.connect()
  try {
    await client.query('analyze event_store.events')
    await client.query('create schema bench; create table bench.checkpoint as select 0 as position')
    await setUpRegistry(client, [])
    return await prepareRaw(client, await readBatches(store))
  } finally {
    client.release()
  }
}

async function readBatches({ events }: Store): Promise<readonly (readonly RecordedEvent[])[]> {
  const batches: (readonly RecordedEvent[])[] = []
  for await (const batch of rebuildBatches(events.readAll(beforeAll), await events.end())) batches.push(batch)
  return batches
}

async function prepareRaw(
  client: pg.ClientBase,
  batches: readonly (readonly RecordedEvent[])[],
): Promise<readonly (readonly RawStatement[])[]> {
  const models = await createUnregistered(client, rawPrefix, readModels)
  return rowBatches(models, batches).map((batch) => rawStatements(batch, ({ schema }) => schema))
}

async function build(client: pg.ClientBase, { events }: Store): Promise<void> {
  const signal = new AbortController().signal
  await buildInto({ client, store: events, signal }, builtPrefix, readModels, await events.end())
}

async function timed(work: () => Promise<void>, events: number, postgres: () => readonly number[]): Promise<Sample> {
  const cores = measureCores({ builder: () => [process.pid], postgres })
  const began = performance.now()
  await work()
  const elapsed_ms = performance.now() - began
  return { rate: (events * 1000) / elapsed_ms, cores: cores(), details: { elapsed_ms } }
}

async function proveEqual(client: pg.ClientBase): Promise<void> {
  for (const projection of readModels) {
    const differences = await compareSchemas(
      client,
      projection,
      `${rawPrefix}${projection.name}`,
      `${builtPrefix}${projection.name}`,
    )
    if (differences.length > 0)
      throw new Error(`The two sides differ in ${projection.name}: ${JSON.stringify(differences.slice(0, 3))}`)
  }
}
