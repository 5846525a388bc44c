import type { ClientBase } from 'pg'
import { z } from 'zod'
import type { EventStore } from '../../application/ports/event-store.ts'
import { beforeAll, type Position } from '../../domain/kernel/position.ts'

type Client = Pick<ClientBase, 'query'>

interface Origin {
  readonly eventId: string
  readonly position: Position
}

const originRows = z.array(z.object({ eventId: z.string(), position: z.coerce.bigint() }))

/** Undefined if none was recorded yet. */
async function knownOrigin(client: Client): Promise<Origin | undefined> {
  const { rows } = await client.query('select event_id as "eventId", position from read_models.origin')
  return originRows.parse(rows)[0]
}

async function originOf(store: Pick<EventStore, 'readAll'>): Promise<Origin | undefined> {
  for await (const [first] of store.readAll(beforeAll))
    return first && { eventId: first.metadata.eventId, position: first.position }
  return undefined
}

/**
 * Records the store that the read models come from, unless that is known. Resolves with false if the store has no event yet.
 */
export async function noteOrigin(client: Client, store: Pick<EventStore, 'readAll'>): Promise<boolean> {
  if (await knownOrigin(client)) return true
  const origin = await originOf(store)
  if (!origin) return false
  await client.query('insert into read_models.origin select $1, $2 where not exists (select from read_models.origin)', [
    origin.eventId,
    origin.position,
  ])
  return true
}

/** Whether read models and a store belong together. */
export type Fit =
  | { readonly fit: 'same' }
  /** The read models were made from another store. */
  | { readonly fit: 'other' }
  /**
   * The read models were made from this store, but it lacks the event that they have reached: it was restored to an earlier
   * state, and ends at `end` now.
   */
  | { readonly fit: 'older'; readonly position: Position; readonly end: Position }

const newestRows = z.array(z.object({ position: z.coerce.bigint(), eventId: z.string().nullable() }))

/** Compares the event that the live read models have reached with the event at that position. Without read models they fit. */
export async function fitOf(client: Client, store: Pick<EventStore, 'readAll' | 'eventIdAt' | 'end'>): Promise<Fit> {
  const { rows } = await client.query(
    `select position, event_id as "eventId" from read_models.checkpoints where schema = name
     order by position desc, 2 nulls last limit 1`,
  )
  const [newest] = newestRows.parse(rows)
  if (!newest || newest.position === beforeAll) return { fit: 'same' }
  const there = await store.eventIdAt(newest.position)
  // Earlier versions recorded the position alone.
  if (there !== undefined && (newest.eventId === null || there === newest.eventId)) return { fit: 'same' }
  const [known, origin] = [await knownOrigin(client), await originOf(store)]
  if (!known || known.eventId !== origin?.eventId || known.position !== origin.position) return { fit: 'other' }
  return { fit: 'older', position: newest.position, end: await store.end() }
}
