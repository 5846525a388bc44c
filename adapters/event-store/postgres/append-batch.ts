import pg from 'pg'
import { z } from 'zod'
import type { AppendResult, Revision } from '../../../application/ports/event-store.js'
import type { PostgresDatabase } from '../../postgres/database.js'
import { sql } from '../../../application/ports/database.js'
import { takenEventIds, UnstorableEvents } from '../errors.js'
import type { EncodedEvent } from '../stored-event.js'
import type { AppendRequest, WriteBatch } from './group-committer.js'

const outcomes = z.enum(['appended', 'repeated', 'conflict', 'taken'])

/** The answers to the requests of a batch, in their order. */
const batchRow = z.object({
  outcomes: z.array(outcomes),
  revisions: z.array(z.int().nullable()),
  positions: z.array(z.string().nullable()),
})

/** A request with the JSON that event_store.append_batch takes; data and metadata are JSON already. */
export function appendRequest(stream: string, expected: Revision, events: readonly EncodedEvent[]): AppendRequest {
  const items = events.map(
    ({ eventId, type, data, metadata }) =>
      `{"id":${JSON.stringify(eventId)},"type":${JSON.stringify(type)},"data":${data},"metadata":${metadata}}`,
  )
  const json = `{"stream":${JSON.stringify(stream)},"expected":${expected},"events":[${items.join(',')}]}`
  return { stream, firstEventId: events[0]?.eventId ?? '', json }
}

/** Writes batches with one statement each, which is one transaction. */
export function batchWriter(database: PostgresDatabase): WriteBatch {
  return async (batch) => {
    const json = `[${batch.map((request) => request.json).join(',')}]`
    const answers = await database.one(sql.type(batchRow)`select * from event_store.append_batch(${json}::jsonb)`)
    return batch.map(({ stream }, index) =>
      resultOf(stream, answers.outcomes[index], answers.revisions[index], answers.positions[index]),
    )
  }
}

function resultOf(
  stream: string,
  outcome: z.output<typeof outcomes> | undefined,
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

/** SQLSTATE classes of what Postgres says of values: data exceptions, broken constraints, and limits of its own. */
const faultsOfData = ['22', '23', '54']
const uniqueViolation = '23505'

/** What is wrong with the data of an append; undefined where an error is about anything else. */
export function dataFaultOf(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError) || !faultsOfData.some((sqlState) => error.code?.startsWith(sqlState)))
    return undefined
  return error.code === uniqueViolation && error.constraint === 'events_event_id_key' ? takenEventIds : error.message
}
