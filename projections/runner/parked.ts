import type { ClientBase, QueryConfig } from 'pg'
import { z } from 'zod'
import type { RecordedEvent } from '../../application/ports/event-store.ts'
import type { ParkedStream } from '../../application/ports/instance-status.ts'
import type { Position } from '../../domain/kernel/position.ts'
import type { Projection } from './projection.ts'

/**
 * A stream from which a read model takes no events from a position on, because it can't take the event there: everything after
 * it in the stream could only be projected wrongly. All other streams continue. Source: decision 11.
 */
export interface Parked {
  readonly stream: string
  readonly position: Position
  readonly eventId: string
  /** The type of the event as it is stored. */
  readonly type: string
  /** Whether the event can't be read, or was read and does not fit the rows of this read model. */
  readonly cause: 'unreadable' | 'unprojectable'
  readonly reason: string
}

/** A stream that a batch has parked, and the read model that parked it. */
export interface ParkedIn {
  readonly readModel: string
  readonly parked: Parked
}

/** The most streams that a read model parks. With one more, the program is at fault, and projecting stops. */
export const parkedStreams_max = 1000

/** More streams would have to be parked than `parkedStreams_max`. Nothing of the batch was written. */
export class TooManyParked extends Error {
  override readonly name = 'TooManyParked'

  constructor(schema: string, { position, reason }: Parked) {
    super(
      `Read model ${schema} has ${parkedStreams_max} parked streams, and the event at position ${position} would park one more: ${reason}`,
    )
  }
}

/** Reported once when a stream is parked: an operator has to act. */
export class StreamParked extends Error {
  override readonly name = 'StreamParked'

  constructor({ position, stream, type, reason }: Parked, readModels: readonly string[]) {
    super(
      `${readModels.join(', ')}: nothing of ${stream} is projected from position ${position} on, because of an event of type ${type}: ${reason}`,
    )
  }
}

/** One alarm for each event that parked a stream, however many read models it affects. */
export function alarmsOf(all: readonly ParkedIn[]): readonly StreamParked[] {
  const byPosition = new Map<Position, ParkedIn[]>()
  for (const one of all) byPosition.set(one.parked.position, [...(byPosition.get(one.parked.position) ?? []), one])
  return [...byPosition.values()].flatMap((same) => {
    const [first] = same
    if (!first) return []
    return new StreamParked(
      first.parked,
      same.map(({ readModel }) => readModel),
    )
  })
}

const parkedRow = z.object({
  schema: z.string(),
  stream: z.string(),
  position: z.coerce.bigint(),
  eventId: z.string(),
  type: z.string(),
  cause: z.enum(['unreadable', 'unprojectable']),
  reason: z.string(),
})

/**
 * The parked streams of the read models in these schemas, by schema and then by name, oldest first. Schemas without one are left
 * out.
 */
export async function parkedStreams(
  client: Pick<ClientBase, 'query'>,
  schemas: readonly string[],
): Promise<ReadonlyMap<string, Map<string, Parked>>> {
  const { rows } = await client.query(
    `select p.schema, p.stream, p.position, p.event_id as "eventId", p.type, p.cause, p.reason
     from unnest($1::text[]) as s (schema)
     cross join lateral (
       select * from read_models.parked as own where own.schema = s.schema order by own.position limit $2
     ) as p
     order by p.schema, p.position`,
    [schemas, parkedStreams_max],
  )
  const found = new Map<string, Map<string, Parked>>()
  for (const { schema, ...parked } of z.array(parkedRow).parse(rows)) {
    const streams = found.get(schema) ?? new Map<string, Parked>()
    found.set(schema, streams.set(parked.stream, parked))
  }
  return found
}

/** Records a parked stream. Repeating it changes nothing. */
export function parkStatement(schema: string, parked: Parked): QueryConfig {
  const { stream, position, eventId, type, cause, reason } = parked
  return {
    text: `insert into read_models.parked (schema, stream, position, event_id, type, cause, reason)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
    values: [schema, stream, position, eventId, type, cause, reason],
  }
}

/** Deletes the parked streams of the read models in these schemas, because their tables are dropped. */
export async function forgetParked(client: ClientBase, schemas: readonly string[]): Promise<void> {
  await client.query('delete from read_models.parked where schema = any ($1)', [schemas])
}

/** Replaces the parked streams of one schema by those of another, as the tables are replaced. */
export async function replaceParked(client: ClientBase, from: string, to: string): Promise<void> {
  await forgetParked(client, [to])
  await client.query('update read_models.parked set schema = $2 where schema = $1', [from, to])
}

/** How many streams each live read model has parked, by its name. Read models without parked streams are left out. */
export async function parkedCounts(client: Pick<ClientBase, 'query'>): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query(
    'select schema, count(*)::int4 as streams from read_models.parked group by schema',
  )
  return new Map(
    z
      .array(z.object({ schema: z.string(), streams: z.int() }))
      .parse(rows)
      .map(({ schema, streams }) => [schema, streams]),
  )
}

/** The parked streams of the live read models, those of the oldest events first, as many as are asked for. */
export async function oldestParked(
  client: Pick<ClientBase, 'query'>,
  readModels: readonly Pick<Projection, 'name'>[],
  streams_max: number,
): Promise<readonly ParkedStream[]> {
  const { rows } = await client.query(
    `select schema, stream, position, event_id as "eventId", type, cause, reason from read_models.parked
     where schema = any ($1) order by position, schema limit $2`,
    [readModels.map(({ name }) => name), streams_max],
  )
  return z
    .array(parkedRow)
    .parse(rows)
    .map(({ schema, stream, position, eventId, type, cause }) => ({
      readModel: schema,
      stream,
      position,
      eventId,
      type,
      cause,
    }))
}

/** Whether an event belongs to a parked stream, at or after its parked position. */
export function isParked(parked: ReadonlyMap<string, Parked>, { stream, position }: RecordedEvent): boolean {
  const since = parked.get(stream)
  return since !== undefined && position >= since.position
}
