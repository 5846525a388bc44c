import type { ClientBase, PoolClient } from 'pg'
import { z } from 'zod'
import type { EventStore } from '../../application/ports/event-store.ts'
import type { Position } from '../../domain/kernel/position.ts'
import { applyEvents } from './apply-events.ts'
import { buildInto } from './build.ts'
import { waitAndBuild, type BuildingSettings } from './building.ts'
import { rebuildBatches } from './event-batches.ts'
import { groupOf } from './group.ts'
import { forgetParked } from './parked.ts'
import type { Projection } from './projection.ts'
import {
  highestOf,
  liveCheckpoints,
  noReadModels,
  modelTables,
  positionOf,
  ReadModelsAhead,
  type Checkpoint,
} from './registry.ts'
import { differencesByKey, type TableDifferences } from './rows/differences.ts'
import { quoted } from './rows/table-columns.ts'

export interface Verification {
  /** The position of the read models when they were compared: the lowest one, if they differed. */
  readonly position: Position
  /** The end of the store at that time. */
  readonly end: Position
  readonly models: readonly ModelVerification[]
}

export interface ModelVerification {
  readonly name: string
  /** The tables with rows that differ. */
  readonly tables: readonly TableDifferences[]
}

/** There is nothing to compare. The message says what to do. */
export class NothingToVerify extends Error {
  override readonly name = 'NothingToVerify'
}

/** The schemas of the rebuilt tables. Only the holder of the builders' lock makes and drops them. */
const prefix = 'verify__'

/**
 * Builds every read model from the first event in separate schemas and compares each row with the live one. Resolves with the
 * differences, or with undefined when the signal aborts; waits while another process builds.
 *
 * Projecting continues meanwhile without a pause: rows and checkpoint of a batch commit together, so one repeatable-read
 * snapshot shows live tables and their position. In that snapshot the rebuilt tables are brought to the same position, and
 * compared. A swap would disturb it, but swaps need the builders' lock, which is held here.
 */
export async function verify(settings: BuildingSettings): Promise<Verification | undefined> {
  return waitAndBuild(settings, async ({ client }, signal) => {
    await dropRebuilt(client)
    try {
      return await rebuildAndCompare(client, { ...settings, signal })
    } finally {
      // After a lost connection, the next run drops them.
      if (!signal.aborted || settings.signal.aborted) await dropRebuilt(client)
    }
  })
}

async function rebuildAndCompare(client: PoolClient, settings: BuildingSettings): Promise<Verification | undefined> {
  const { store, projections, signal, onProgress } = settings
  const upTo = positionOf(await comparable(client, settings), projections)
  await buildInto({ client, store, signal, onProgress }, prefix, projections, upTo)
  for (const { name, keys } of projections) {
    for (const table of Object.keys(keys)) await client.query(`analyze ${quoted(prefix + name)}.${quoted(table)}`)
  }
  if (signal.aborted) return undefined
  await client.query('begin isolation level repeatable read')
  try {
    return await compareInSnapshot(client, settings, upTo)
  } finally {
    await client.query('rollback')
  }
}

async function compareInSnapshot(
  client: ClientBase,
  settings: BuildingSettings,
  builtUpTo: Position,
): Promise<Verification | undefined> {
  const { store, projections, signal } = settings
  const live = await comparable(client, settings)
  for (const upTo of new Set(live.map(({ position }) => position))) {
    const level = projections.filter((projection) => positionOf(live, [projection]) === upTo)
    await catchUp(client, store, level, builtUpTo, upTo)
  }
  const models: ModelVerification[] = []
  for (const projection of projections) {
    if (signal.aborted) return undefined
    const tables = await differencesByKey(client, projection, projection.name, prefix + projection.name)
    models.push({ name: projection.name, tables })
  }
  return { position: positionOf(live, projections), end: await store.end(), models }
}

/** The live checkpoints. Rejects if a read model is not live in the known version, or belongs to another store. */
async function comparable(
  client: ClientBase,
  { store, projections }: BuildingSettings,
): Promise<readonly Checkpoint[]> {
  const live = await liveCheckpoints(client)
  if (live.length === 0) throw new NothingToVerify(noReadModels)
  for (const { name, version } of projections) {
    const found = live.find((checkpoint) => checkpoint.name === name)
    if (found?.version !== version)
      throw new NothingToVerify(
        `Read model ${name} is live in version ${found?.version ?? 'none'}, not in ${version} as this program has it: replay it`,
      )
  }
  const end = await store.end()
  if (highestOf(live) > end) throw new ReadModelsAhead(highestOf(live), end)
  return live
}

/** Applies what was projected since the rebuilt tables were made. Only the transaction of the comparison sees it. */
async function catchUp(
  client: ClientBase,
  store: EventStore,
  projections: readonly Projection[],
  after: Position,
  upTo: Position,
): Promise<void> {
  if (after >= upTo) return
  const placed = projections.map((projection) => ({ schema: prefix + projection.name, projection }))
  const group = groupOf(await modelTables(client, placed))
  for await (const events of rebuildBatches(store.readAll(after), upTo)) await applyEvents(client, group, events)
}

const schemaRow = z.object({ schema: z.string() })

/** Removes the rebuilt tables, including those that a killed run has left. */
async function dropRebuilt(client: ClientBase): Promise<void> {
  const { rows } = await client.query(
    'select nspname as schema from pg_catalog.pg_namespace where starts_with(nspname, $1)',
    [prefix],
  )
  const schemas = z
    .array(schemaRow)
    .parse(rows)
    .map(({ schema }) => schema)
  for (const schema of schemas) await client.query(`drop schema ${quoted(schema)} cascade`)
  if (schemas.length > 0) await forgetParked(client, schemas)
}
