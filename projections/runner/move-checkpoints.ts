import { randomUUID } from 'node:crypto'
import pg, { type ClientBase } from 'pg'
import { z } from 'zod'
import type { RecordedEvent } from '../../application/ports/event-store.ts'
import type { Position } from '../../domain/kernel/position.ts'

/** The tables of one read model in one version. */
export interface SchemaVersion {
  readonly schema: string
  readonly version: number
}

/** A move of checkpoints that belong together. */
export interface Move {
  /** Their current position. */
  readonly from: Position
  /** The event that they move to; undefined if they stay. */
  readonly last: RecordedEvent | undefined
  /** The checkpoints that must move, each with the number of its tables. */
  readonly models: readonly { readonly schema: string; readonly tablesId: string }[]
  /** The checkpoints that must move if they stand at `from`: a superset of `models`. */
  readonly known: readonly SchemaVersion[]
}

/** Checkpoints that move together again and again: one row, once they are gathered. */
export interface Joint {
  readonly token: string
  isGathered: boolean
}

/** Makes one for read models that a process begins to follow. */
export function jointMoves(): Joint {
  return { token: randomUUID(), isGathered: false }
}

/** The error of the functions that move checkpoints if the checkpoints are not as the batch needs them: then nothing of it is written. */
const elsewhere = 'GH001'

/** The statement that moves checkpoints. It fails, as `standElsewhere` recognises, if they are not as expected. */
export function moveStatement(move: Move): pg.QueryConfig {
  return {
    name: 'move_checkpoints',
    text: 'select read_models.move_checkpoints($1, $2, $3, $4, $5, $6, $7)',
    values: [...valuesOf(move)],
  }
}

/** The same, and gathers them under a token. */
export function gatherStatement(move: Move, { token }: Joint): pg.QueryConfig {
  return {
    name: 'gather_checkpoints',
    text: 'select read_models.gather_checkpoints($1, $2, $3, $4, $5, $6, $7, $8)',
    values: [...valuesOf(move), token],
  }
}

/** The same for checkpoints that were gathered. It also fails if any checkpoint was written otherwise since. */
export function jointMoveStatement({ from, last }: Pick<Move, 'from' | 'last'>, { token }: Joint): pg.QueryConfig {
  return {
    name: 'move_joint_checkpoint',
    text: 'select read_models.move_joint_checkpoint($1, $2, $3, $4)',
    values: [from, last?.position ?? from, last?.metadata.eventId, token],
  }
}

function valuesOf({ from, last, models, known }: Move): readonly unknown[] {
  return [
    from,
    last?.position ?? from,
    last?.metadata.eventId,
    models.map(({ schema }) => schema),
    models.map(({ tablesId }) => tablesId),
    known.map(({ schema }) => schema),
    known.map(({ version }) => version),
  ]
}

/** Whether an error says that checkpoints are not as the batch needs them. */
export function standElsewhere(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === elsewhere
}

const schemaRows = z.array(z.object({ schema: z.string() }))

/** The read models of a list that do not stand at a position. */
export async function missingAt(
  client: ClientBase,
  models: readonly SchemaVersion[],
  position: Position,
): Promise<readonly string[]> {
  const { rows } = await client.query(
    `select schema from read_models.checkpoints
     where position = $1 and (schema, version) in (select * from unnest($2::text[], $3::int4[]))`,
    [position, models.map(({ schema }) => schema), models.map(({ version }) => version)],
  )
  const there = schemaRows.parse(rows).map(({ schema }) => schema)
  return models.map(({ schema }) => schema).filter((schema) => !there.includes(schema))
}
