import pg from 'pg'
import type { EventStore } from '../../application/ports/event-store.ts'
import { beforeAll, type Position } from '../../domain/kernel/position.ts'
import { announceSwap } from './announcements.ts'
import { advance, applyEvents, writeInOrder, writeRows } from './apply-events.ts'
import { rebuildBatches } from './event-batches.ts'
import { groupOf, type Group } from './group.ts'
import { replaceParked } from './parked.ts'
import { pause } from '../../application/concurrency/pauses.ts'
import type { Projection } from './projection.ts'
import { createBuild, createTables, highestOf, liveCheckpoints, modelTables, type ModelTables } from './registry.ts'
import { quoted, type ProjectionInSchema } from './rows/table-columns.ts'

/** Called while history is replayed, with the position reached and the target position. */
export type OnProgress = (position: Position, target: Position) => void

export interface BuildSettings {
  /** A connection that nothing else uses meanwhile. */
  readonly client: pg.ClientBase
  readonly store: EventStore
  readonly signal: AbortSignal
  readonly onProgress?: OnProgress | undefined
}

/** A query that still reads the old tables blocks a swap. The swap is tried again this often, with this pause. */
const swapAttempts_max = 1000
const swapRetry_ms = 50
/** The longest that readers wait for a swap that waits for other readers; far below Postgres' deadlock_timeout. */
const swapLock_ms_max = 100

/**
 * Builds read models from the first event in separate schemas, while the live ones are still read and projected.
 * Replaces the live ones in one transaction once the new ones have caught up with them, or have reached `upTo` if that
 * is given because nobody projects. Resolves with the position of the swap, or early with undefined when the signal
 * aborts. Changes rows only: publishes nothing.
 */
export async function buildBeside(
  settings: BuildSettings,
  projections: readonly Projection[],
  upTo?: Position,
): Promise<Position | undefined> {
  const { client, signal } = settings
  const target = async (): Promise<Position> => upTo ?? highestOf(await liveCheckpoints(client))
  const placed: ProjectionInSchema[] = []
  for (const projection of projections) placed.push(await createBuild(client, projection))
  const group = groupOf(await modelTables(client, placed))
  let position = beforeAll
  for (let attempts = 0; attempts < swapAttempts_max && !signal.aborted; attempts += 1) {
    position = await replay(settings, group, position, await target())
    if (signal.aborted) return undefined
    const swappedAt = await swap(settings, group, position, target)
    if (swappedAt !== undefined) return swappedAt
    await pause(swapRetry_ms, signal)
  }
  if (signal.aborted) return undefined
  throw new Error(
    `Read models could not be swapped in ${swapAttempts_max} attempts: ${projections.map(({ name }) => name).join()}`,
  )
}

/** Applies the events between two positions in batches with their checkpoints. Gives the position that it reached. */
async function replay(
  { client, store, signal, onProgress }: BuildSettings,
  group: Group,
  after: Position,
  upTo: Position,
): Promise<Position> {
  let position = after
  if (position >= upTo) return position
  await writeInOrder(rebuildBatches(store.readAll(position), upTo), group, signal, async (batch) => {
    const advanced = await advance(client, { ...batch, from: position })
    if (advanced.outcome === 'refused') throw new Error('Another process builds the same read models')
    position = batch.events.at(-1)?.position ?? position
    onProgress?.(position, upTo)
    return advanced.parked
  })
  return position
}

/** Swaps if few events are missing and no reader is in the way, and gives the position; otherwise undefined. */
async function swap(
  settings: BuildSettings,
  group: Group,
  position: Position,
  positionToReach: () => Promise<Position>,
): Promise<Position | undefined> {
  const { client } = settings
  await client.query('begin')
  try {
    // Excludes processes that advance checkpoints: until the commit the live read models stand still.
    await client.query('lock table read_models.checkpoints in exclusive mode')
    const target = await positionToReach()
    const isThere = await catchUp(settings, group, position, target)
    if (isThere) {
      await client.query(`set local lock_timeout = ${swapLock_ms_max}`)
      const eventId = await eventIdAt(client, target)
      for (const model of group.models) await replaceLive(client, model, target, eventId)
      await announceSwap(client)
    }
    await client.query(isThere ? 'commit' : 'rollback')
    return isThere ? target : undefined
  } catch (error) {
    await client.query('rollback')
    if (error instanceof pg.DatabaseError && error.code === lockNotAvailable) return undefined
    throw error
  }
}

const lockNotAvailable = '55P03'

/** Applies the last events within the transaction of the swap; false if they are more than one batch. */
async function catchUp(
  { client, store }: BuildSettings,
  group: Group,
  after: Position,
  upTo: Position,
): Promise<boolean> {
  if (after >= upTo) return true
  let batches = 0
  for await (const events of rebuildBatches(store.readAll(after), upTo)) {
    batches += 1
    if (batches > 1) return false
    await applyEvents(client, group, events)
  }
  return true
}

/** The id of the event at a position, if a checkpoint knows it. */
async function eventIdAt(client: pg.ClientBase, position: Position): Promise<string | null> {
  const { rows } = await client.query<{ event_id: string }>(
    'select event_id from read_models.checkpoints where position = $1 and event_id is not null limit 1',
    [position],
  )
  return rows[0]?.event_id ?? null
}

async function replaceLive(
  client: pg.ClientBase,
  { projection: { name }, schema }: ModelTables,
  position: Position,
  eventId: string | null,
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_catalog.pg_class c where c.relkind = 'r' and c.relnamespace = to_regnamespace($1)`,
    [quoted(name)],
  )
  // All at once and before anything else, so that no reader finds only some of the old tables gone.
  const tables = rows.map((row) => `${quoted(name)}.${quoted(row.name)}`)
  if (tables.length > 0) await client.query(`lock table ${tables.join()} in access exclusive mode`)
  await client.query(`drop schema if exists ${quoted(name)} cascade`)
  await client.query(`alter schema ${quoted(schema)} rename to ${quoted(name)}`)
  await replaceParked(client, schema, name)
  await client.query('delete from read_models.checkpoints where schema = $1', [name])
  await client.query(
    'update read_models.checkpoints set schema = name, position = $2, event_id = $3 where schema = $1',
    [schema, position, eventId],
  )
}

/**
 * Builds read models from the first event up to a position, in schemas named `<prefix><name>`, for comparison with the live
 * ones. Replaces such schemas if they exist. They are in no registry: the caller drops them.
 */
export async function buildInto(
  settings: BuildSettings,
  prefix: string,
  projections: readonly Projection[],
  upTo: Position,
): Promise<void> {
  await fillUnregistered(settings, await createUnregistered(settings.client, prefix, projections), upTo)
}

/** Writes what history makes of read models, from the first event up to a position, into empty tables that are in no registry. */
export async function fillUnregistered(
  { client, store, signal, onProgress }: BuildSettings,
  models: readonly ModelTables[],
  upTo: Position,
): Promise<void> {
  await writeInOrder(rebuildBatches(store.readAll(beforeAll), upTo), groupOf(models), signal, async (batch) => {
    const parked = await writeRows(client, batch)
    onProgress?.(batch.events.at(-1)?.position ?? beforeAll, upTo)
    return parked
  })
}

/** Makes empty tables of read models in schemas named `<prefix><name>`, and replaces such schemas. They are in no registry. */
export async function createUnregistered(
  client: pg.ClientBase,
  prefix: string,
  projections: readonly Projection[],
): Promise<readonly ModelTables[]> {
  const placed = projections.map((projection) => ({ schema: `${prefix}${projection.name}`, projection }))
  for (const { schema, projection } of placed)
    await inTransaction(client, () => createTables(client, schema, projection))
  return modelTables(client, placed)
}

async function inTransaction(client: pg.ClientBase, task: () => Promise<unknown>): Promise<void> {
  await client.query('begin')
  try {
    await task()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
