import pg from 'pg'
import type { AppendResult, RecordedEvent } from '../../../application/ports/event-store.ts'
import type { Position, Revision } from '../../../domain/kernel/position.ts'
import type { PostgresDatabase } from '../../postgres/database.ts'
import { rowOf } from '../../../application/sql/row-of.ts'
import { sql } from '../../../application/sql/sql.ts'
import { takenEventIds, UnstorableEvents } from '../errors.ts'
import type { StreamName } from '../../../domain/streams.ts'
import type { FreshEvent } from '../stored-event.ts'
import type { AppendRequest, WriteBatch } from './group-committer.ts'

type Outcome = 'appended' | 'repeated' | 'conflict' | 'taken'

/** The answers to the requests of a batch, in order, and the newest position before the batch. */
interface BatchColumns {
  readonly before: string
  readonly outcomes: readonly Outcome[]
  readonly revisions: readonly (Revision | null)[]
  readonly positions: readonly (string | null)[]
}

const batchRow = rowOf((row: BatchColumns) => row)

/** A request to append events. */
export interface EventsRequest extends AppendRequest {
  readonly stream: StreamName
  readonly events: readonly FreshEvent[]
}

/** Encodes a request as the JSON that event_store.append_events takes. Data and metadata are JSON already. */
export function appendRequest(stream: StreamName, expected: Revision, events: readonly FreshEvent[]): EventsRequest {
  const items = events.map(
    ({ eventId, type, data, metadata }) =>
      `{"id":${JSON.stringify(eventId)},"type":${JSON.stringify(type)},"data":${data},"metadata":${metadata}}`,
  )
  const json = `{"stream":${JSON.stringify(stream)},"expected":${expected},"events":[${items.join(',')}]}`
  return { stream, firstEventId: events[0]?.eventId ?? '', json, events }
}

/** Called with all events that the store got after a position, in order. */
export type Hear = (after: Position, events: readonly RecordedEvent[]) => void

/**
 * Writes batches with one statement each, which is one transaction. What was written is told before it is answered, and announced
 * to other processes.
 */
export function batchWriter(database: PostgresDatabase, hear: Hear): WriteBatch<EventsRequest> {
  return async (batch) => {
    const json = `[${batch.map((request) => request.json).join(',')}]`
    const answers = await database.one(sql.type(batchRow)`select * from event_store.append_events(${json}::jsonb)`)
    const results = batch.map(({ stream }, index) =>
      resultOf(stream, answers.outcomes[index], answers.revisions[index], answers.positions[index]),
    )
    const written = recorded(batch, results)
    if (written) hear(BigInt(answers.before), written)
    return results
  }
}

/** The events that a batch appended, in order of position; undefined if one of them would not be readable. */
function recorded(
  batch: readonly EventsRequest[],
  results: readonly (AppendResult | Error)[],
): readonly RecordedEvent[] | undefined {
  const events: RecordedEvent[] = []
  for (const [index, { stream, events: encoded }] of batch.entries()) {
    const result = results[index]
    if (!result || result instanceof Error || result.outcome !== 'appended') continue
    for (const [turn, event] of encoded.entries()) {
      const read = event.asRead()
      if (!read) return undefined
      // The events of one request have consecutive positions.
      const fromLast = encoded.length - 1 - turn
      const revision = result.revision - fromLast
      events.push({ stream, revision, position: result.position - BigInt(fromLast), ...read })
    }
  }
  return events
}

function resultOf(
  stream: string,
  outcome: Outcome | undefined,
  revision: Revision | null | undefined,
  position: string | null | undefined,
): AppendResult | Error {
  if (outcome === 'taken') return new UnstorableEvents(stream, takenEventIds)
  if (outcome === 'conflict' && typeof revision === 'number') return { outcome, revision }
  if (outcome === undefined || outcome === 'conflict' || typeof revision !== 'number' || typeof position !== 'string') {
    return new Error(`The batch function gave no whole answer for ${stream}: ${outcome} ${revision} ${position}`)
  }
  return { outcome, revision, position: BigInt(position) }
}

/** SQLSTATE classes of errors about values: data exceptions, violated constraints, and limits of Postgres. */
const faultsOfData = ['22', '23', '54']
const uniqueViolation = '23505'

/** What is wrong with the data of an append; undefined if the error has another cause. */
export function dataFaultOf(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError) || !faultsOfData.some((sqlState) => error.code?.startsWith(sqlState)))
    return undefined
  return error.code === uniqueViolation && error.constraint === 'events_event_id_key' ? takenEventIds : error.message
}
