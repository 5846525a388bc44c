import pg, { type ClientBase } from 'pg'
import { z } from 'zod'
import type { Position, RecordedEvent } from '../../application/ports/event-store.js'

/** The tables of one read model in one version. */
export interface SchemaVersion {
  readonly schema: string
  readonly version: number
}

/** The checkpoints that are to move together. */
export interface Move {
  /** Where they stand. */
  readonly from: Position
  /** The event that they come to; undefined where they stay. */
  readonly last: RecordedEvent | undefined
  /** Those that have to move, each with the number of its tables. */
  readonly models: readonly { readonly schema: string; readonly tablesId: string }[]
  /** Those that have to move where they stand at `from`: a superset of `models`. */
  readonly known: readonly SchemaVersion[]
}

/** What Postgres answers where the checkpoints are not as a batch needs them: nothing of it is written. */
const elsewhere = 'GH001'

/**
 * Compares and moves the checkpoints of a group in one call, and ends the transaction where they are others than expected:
 * one of `own` that does not stand at `before` or has other tables by now, or one of `known` beside them that stands there.
 */
export const moveFunction = `
  create or replace function read_models.move_checkpoints(
    before int8, after int8, event uuid, own text[], tables text[], known text[], versions int4[]
  ) returns void language plpgsql as $$
  declare
    moved int4;
    matching int4;
  begin
    with m as (
      update read_models.checkpoints c set position = after, event_id = coalesce(event, c.event_id)
      where c.position = before and (c.schema, c.version) in (select * from unnest(known, versions))
      returning c.schema, to_regnamespace(quote_ident(c.schema))::oid::text as tables_id
    )
    select count(*), count(*) filter (where (m.schema, m.tables_id) in (select * from unnest(own, tables)))
    into moved, matching from m;
    if moved <> cardinality(own) or matching <> cardinality(own) then
      raise exception 'read models are not at %', before using errcode = '${elsewhere}';
    end if;
  end
  $$`

/** The statement that moves checkpoints. It fails, as `standElsewhere` knows, where they are others than expected. */
export function moveStatement({ from, last, models, known }: Move): pg.QueryConfig {
  return {
    name: 'move_checkpoints',
    text: 'select read_models.move_checkpoints($1, $2, $3, $4, $5, $6, $7)',
    values: [
      from,
      last?.position ?? from,
      last?.metadata.eventId,
      models.map(({ schema }) => schema),
      models.map(({ tablesId }) => tablesId),
      known.map(({ schema }) => schema),
      known.map(({ version }) => version),
    ],
  }
}

/** Whether an error says that checkpoints are others than a batch needs. */
export function standElsewhere(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === elsewhere
}

const schemaRows = z.array(z.object({ schema: z.string() }))

/** Those of some read models that do not stand at a position. */
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
