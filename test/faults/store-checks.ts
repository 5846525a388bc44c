import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { findRunningPostgres, startEmbeddedPostgres, type Connection } from '../../adapters/postgres/embedded/start.ts'
import type { RecordedEvent } from '../../application/ports/event-store.ts'
import { beforeAll, type Position } from '../../domain/kernel/position.ts'
import { personalDataKey } from '../../cli/personal-data-key.ts'
import { openStore, type Store } from '../../process/store.ts'
import { readModels } from '../../projections/read-models.ts'
import { createUnregistered, fillUnregistered } from '../../projections/runner/build.ts'
import { forgetParked } from '../../projections/runner/parked.ts'
import { liveCheckpoints, modelTables } from '../../projections/runner/registry.ts'
import { compareSchemas } from '../../projections/runner/rows/compare.ts'
import { patience_ms } from '../support/pace.ts'

/** Runs a task on the store of a product that is running. */
export async function withStore<Result>(dataDir: string, task: (store: Store) => Promise<Result>): Promise<Result> {
  const connection = await findRunningPostgres(path.join(dataDir, 'postgres'))
  if (!connection) throw new Error(`No Postgres runs on ${dataDir}`)
  return onPostgres(connection, dataDir, task)
}

/** Runs a task on the store of a product that is down. */
export async function withStoreAlone<Result>(
  dataDir: string,
  task: (store: Store) => Promise<Result>,
): Promise<Result> {
  const { connection, stop } = await startEmbeddedPostgres({ folder: path.join(dataDir, 'postgres') })
  try {
    return await onPostgres(connection, dataDir, task)
  } finally {
    await stop()
  }
}

async function onPostgres<Result>(
  connection: Connection,
  dataDir: string,
  task: (store: Store) => Promise<Result>,
): Promise<Result> {
  const errors: unknown[] = []
  const key = await personalDataKey(undefined, dataDir)
  const store = await openStore({ connection, personalDataKey: key, onError: (error) => errors.push(error) })
  try {
    const result = await task(store)
    if (errors.length > 0) throw new AggregateError(errors, 'The store met errors')
    return result
  } finally {
    await store.close()
  }
}

export async function wholeHistory({ events }: Store): Promise<readonly RecordedEvent[]> {
  const all: RecordedEvent[] = []
  for await (const page of events.readAll(beforeAll)) all.push(...page)
  return all
}

const countRow = z.object({ count: z.int() })
const poll_ms = 25

/**
 * Waits until the read models contain every step, and the process managers have finished it. Returns how long it took, and what
 * is left when time is up.
 */
export async function finishedSteps(
  store: Store,
  within_ms: number,
): Promise<{ readonly ms: number; readonly left: number }> {
  const began = performance.now()
  await caughtUp(store, await store.events.end())
  for (;;) {
    // The messages of an erased account get another author minutes later, when none of its requests can be under way.
    const { rows } = await store.database.pool.query(
      "select count(*)::int4 as count from unfinished.steps where process <> 'authored_messages'",
    )
    const left = countRow.parse(rows[0]).count
    const ms = performance.now() - began
    if (left === 0 || ms > within_ms) return { ms, left }
    await sleep(poll_ms)
  }
}

const rebuiltPrefix = 'rebuilt_'
/** The read models, in schemas of their own that stay for the next comparison: making them takes much longer than emptying them. */
const rebuilt = readModels.map((projection) => ({ schema: `${rebuiltPrefix}${projection.name}`, projection }))

/**
 * Rebuilds every read model beside the live ones, compares row for row, and returns the rows that differ. Starts again if
 * something was appended meanwhile: process managers go on after the last request.
 */
export async function divergentRows(store: Store): Promise<readonly string[]> {
  for (;;) {
    const end = await store.events.end()
    const divergent = await divergentRowsAt(store, end)
    if ((await store.events.end()) === end) return divergent
  }
}

async function divergentRowsAt(store: Store, end: Position): Promise<readonly string[]> {
  await caughtUp(store, end)
  const client = await store.database.pool.connect()
  try {
    await createMissing(client)
    await empty(client)
    const { signal } = new AbortController()
    await fillUnregistered({ client, store: store.events, signal }, await modelTables(client, rebuilt), end)
    const divergent: string[] = []
    for (const { schema, projection } of rebuilt) {
      const rows = await compareSchemas(client, projection, projection.name, schema)
      divergent.push(...rows.map((row) => `${projection.name}: ${JSON.stringify(row)}`))
    }
    // Nothing is left that a search for somebody's data would find.
    await empty(client)
    return divergent
  } finally {
    client.release()
  }
}

const rebuiltSchemas = rebuilt.map(({ schema }) => schema)

async function createMissing(client: PoolClient): Promise<void> {
  const { rowCount } = await client.query('select from pg_namespace where nspname = any ($1)', [rebuiltSchemas])
  if (rowCount !== rebuilt.length) await createUnregistered(client, rebuiltPrefix, readModels)
}

async function empty(client: PoolClient): Promise<void> {
  const tables = rebuilt.flatMap(({ schema, projection }) =>
    Object.keys(projection.keys).map((table) => `${schema}.${table}`),
  )
  await client.query(tables.map((table) => `delete from ${table}`).join(';'))
  await forgetParked(client, rebuiltSchemas)
}

async function caughtUp({ database }: Store, end: bigint): Promise<void> {
  const deadline = performance.now() + patience_ms
  for (;;) {
    const live = await liveCheckpoints(database.pool)
    if (live.every(({ position }) => position >= end)) return
    if (performance.now() > deadline)
      throw new Error(
        `Read models have not come to ${end}: ${JSON.stringify(live.map(({ name, position }) => `${name} ${position}`))}`,
      )
    await sleep(poll_ms)
  }
}
