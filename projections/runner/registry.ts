import { readFile } from 'node:fs/promises'
import type { ClientBase } from 'pg'
import { z } from 'zod'
import { beforeAll, type Position } from '../../domain/kernel/position.ts'
import { forgetParked, parkedStreams, type Parked } from './parked.ts'
import type { Projection } from './projection.ts'
import { quoted, readTables, type ProjectionInSchema, type Table } from './rows/table-columns.ts'

/** 'GHRM' in ASCII, read as a number. */
const lockClass = 1_195_921_997
/** Advisory locks. */
export const locks = { leading: [lockClass, 1], building: [lockClass, 2], setup: [lockClass, 3] } as const

/** How far the tables in one schema have come. */
export interface Checkpoint {
  /** The name of the read model while its tables are live; `<name>__v<version>` while they are built. */
  readonly schema: string
  readonly name: string
  /** 0 while nothing was projected yet, and so while the first version is built beside other read models. */
  readonly version: number
  readonly position: Position
}

const checkpointRow = z.object({ schema: z.string(), name: z.string(), version: z.int(), position: z.coerce.bigint() })
const columns = 'schema, name, version, position'

/** The tables of a read model, in one schema. */
export interface ModelTables {
  readonly projection: Projection
  readonly schema: string
  /** The schema's own number. It changes when other tables are swapped in under its name. */
  readonly tablesId: string
  readonly tables: ReadonlyMap<string, Table>
  /** The parked streams by name, as of when this was read. The projecting process adds to them. */
  readonly parked: Map<string, Parked>
}

/** The message for an operator if no server has been started yet. */
export const noReadModels = 'There are no read models yet: a server that starts builds them, and so does replay'

/** A live read model has a newer version than this process knows: this process must not write its tables. */
export class ReadModelIsNewer extends Error {
  override readonly name = 'ReadModelIsNewer'

  constructor({ name, version }: Checkpoint, declared: number) {
    super(`Read model ${name} is live in version ${version}, and this process knows version ${declared}`)
  }
}

/** The read models hold more events than the store: they were made from another store. */
export class ReadModelsAhead extends Error {
  override readonly name = 'ReadModelsAhead'

  constructor(position: Position, end: Position) {
    super(`Read models are at position ${position}, and the event store ends at ${end}`)
  }
}

function buildSchemaOf({ name, version }: Projection): string {
  return `${name}__v${version}`
}

/**
 * Makes empty live tables for each read model that has none. The first start makes them in their declared version. If other
 * read models hold events already, they get version 0, and the declared version is built beside.
 */
export async function setUpRegistry(client: ClientBase, projections: readonly Projection[]): Promise<void> {
  await client.query('begin')
  // Creating tables can't be redone from events, so it waits for the disk, unlike this connection's writes of rows.
  await client.query('set local synchronous_commit = on')
  await client.query('select pg_advisory_xact_lock($1, $2)', [...locks.setup])
  const live = await liveCheckpoints(client)
  const isFirstStart = live.every(({ position }) => position === beforeAll)
  for (const projection of projections) {
    const known = live.find(({ name }) => name === projection.name)
    if (known && known.version > projection.version) throw new ReadModelIsNewer(known, projection.version)
    if (known) continue
    await createTables(client, projection.name, projection)
    await insertCheckpoint(client, {
      ...projection,
      schema: projection.name,
      version: isFirstStart ? projection.version : 0,
    })
  }
  await client.query('commit')
}

/** Makes the tables of a read model in a schema of their own, and drops what the schema held. */
export async function createTables(client: ClientBase, schema: string, projection: Projection): Promise<void> {
  await forgetParked(client, [schema])
  await client.query(`drop schema if exists ${quoted(schema)} cascade; create schema ${quoted(schema)}`)
  await client.query(`set local search_path = ${quoted(schema)}`)
  await client.query(await readFile(projection.tables, 'utf8'))
  await client.query('set local search_path = default')
}

async function insertCheckpoint(
  client: ClientBase,
  { schema, name, version }: Omit<Checkpoint, 'position'>,
): Promise<void> {
  const values = [schema, name, version, beforeAll]
  await client.query(`insert into read_models.checkpoints (${columns}) values ($1, $2, $3, $4)`, values)
}

/** Makes empty tables to build a read model in, and removes what an earlier build of it left. Runs in one transaction. */
export async function createBuild(client: ClientBase, projection: Projection): Promise<ProjectionInSchema> {
  const schema = buildSchemaOf(projection)
  await client.query('begin')
  await dropBuild(client, projection)
  await createTables(client, schema, projection)
  await insertCheckpoint(client, { ...projection, schema })
  await client.query('commit')
  return { schema, projection }
}

/** Removes what an unfinished build of a read model left, if anything. */
export async function dropBuild(client: ClientBase, { name }: Pick<Projection, 'name'>): Promise<void> {
  const left = await client.query(
    `delete from read_models.checkpoints where name = $1 and schema <> name returning ${columns}`,
    [name],
  )
  for (const { schema } of z.array(checkpointRow).parse(left.rows)) {
    await forgetParked(client, [schema])
    await client.query(`drop schema if exists ${quoted(schema)} cascade`)
  }
}

/** The tables of these read models, in their order, and what is parked in each. Rejects as `readTables` does. */
export async function modelTables(
  client: ClientBase,
  placed: readonly ProjectionInSchema[],
): Promise<readonly ModelTables[]> {
  const schemas = placed.map(({ schema }) => schema)
  // First of all: tables that are swapped in later have another number, and are not advanced as these.
  const ids = await tablesIds(client, schemas)
  const tables = await readTables(client, placed)
  const parked = await parkedStreams(client, schemas)
  return placed.map(({ schema, projection }) => {
    const tablesId = ids.get(schema)
    const own = tables.get(schema)
    if (tablesId === undefined || !own) throw new Error(`There is no schema ${schema}`)
    return { projection, schema, tablesId, tables: own, parked: parked.get(schema) ?? new Map<string, Parked>() }
  })
}

async function tablesIds(client: ClientBase, schemas: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query(
    `select nspname as schema, oid::text as "tablesId" from pg_catalog.pg_namespace where nspname = any($1::name[])`,
    [schemas],
  )
  return new Map(
    z
      .array(z.object({ schema: z.string(), tablesId: z.string() }))
      .parse(rows)
      .map(({ schema, tablesId }) => [schema, tablesId]),
  )
}

/** The checkpoints of all live read models. */
export async function liveCheckpoints(client: Pick<ClientBase, 'query'>): Promise<readonly Checkpoint[]> {
  const { rows } = await client.query(`select ${columns} from read_models.checkpoints where schema = name`)
  return z.array(checkpointRow).parse(rows)
}

/** The position that the live read models advance to together. */
export function highestOf(live: readonly Checkpoint[]): Position {
  return live.reduce((highest, { position }) => (position > highest ? position : highest), beforeAll)
}

/** The position that all live read models of these projections have reached. */
export function positionOf(live: readonly Checkpoint[], projections: readonly Projection[]): Position {
  const positions = projections.map(
    ({ name }) => live.find((checkpoint) => checkpoint.name === name)?.position ?? beforeAll,
  )
  return positions.reduce((lowest, position) => (position < lowest ? position : lowest), positions[0] ?? beforeAll)
}
