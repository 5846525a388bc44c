import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'
import type { EventStore, Position, RecordedEvent } from '../../application/ports/event-store.js'
import { Unavailable } from '../../application/ports/unavailable.js'
import { pause } from '../../application/concurrency/pauses.js'

export interface FollowerSettings {
  /** Names the checkpoint and the lock: of all processes with one name, one follows. */
  readonly name: string
  /** One of its connections is held while this process follows or waits to: of a pool that `holdsLocks`. */
  readonly pool: Pool
  readonly store: Pick<EventStore, 'end' | 'follow'>
  /** Whether an event is for this follower. */
  readonly isMeant: (event: Pick<RecordedEvent, 'type'>) => boolean
  /**
   * Called with each of them in order, at least once. What rejects is tried again: with a kind of Unavailable for as long as it
   * takes, else `tries_max` times, and then it is passed over.
   */
  readonly handle: (event: RecordedEvent) => Promise<void>
  readonly onError: (error: unknown) => void
}

export interface Follower {
  /** Finishes the event in hand and lets another process follow. */
  stop(): Promise<void>
}

/** 'GHFO' in ASCII, read as a number; the second key is a hash of the name. */
const lockClass = 1_195_919_951
const standby_ms = 500
const batchEvents_max = 100
/** So many events without one that is meant are read again at most after a crash. */
const unnotedEvents_max = 1000
export const tries_max = 5

const heldRow = z.object({ held: z.boolean() })
const positionRow = z.object({ position: z.coerce.bigint() })

/**
 * Follows all events in one process at a time, from where the last one came to, and from the end of the store where nobody ever
 * did: what was imported is not news.
 */
export function followAlone(settings: FollowerSettings): Follower {
  const { onError } = settings
  const stopping = new AbortController()
  const attempt = { position: -1n, tries: 0 }
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await leadWhenFree(settings, attempt, stopping.signal)
      } catch (error) {
        if (!stopping.signal.aborted) onError(error)
      }
      await pause(standby_ms, stopping.signal)
    }
  }
  const ended = run()
  return {
    async stop() {
      stopping.abort()
      await ended
    },
  }
}

/** The event that failed last, and how often. */
interface Attempt {
  position: Position
  tries: number
}

/** Waits for the lock, and follows for as long as this process holds it. */
async function leadWhenFree(settings: FollowerSettings, attempt: Attempt, stopping: AbortSignal): Promise<void> {
  const client = await settings.pool.connect()
  const lost = new AbortController()
  const onLost = (): void => {
    lost.abort()
  }
  client.on('error', onLost).on('end', onLost)
  const signal = AbortSignal.any([stopping, lost.signal])
  try {
    while (!signal.aborted && !(await holdsLock(client, settings.name))) await pause(standby_ms, signal)
    if (!signal.aborted) await follow(settings, client, attempt, signal)
  } finally {
    client.removeListener('error', onLost).removeListener('end', onLost)
    // The lock ends with the connection.
    client.release(true)
  }
}

async function holdsLock(client: PoolClient, name: string): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1, hashtext($2)) as held', [lockClass, name])
  return heldRow.parse(rows[0]).held
}

async function follow(
  { name, store, isMeant, handle, onError }: FollowerSettings,
  client: PoolClient,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<void> {
  const after = await beginning(client, name, store)
  let unnoted = 0
  for await (const events of store.follow(after, { signal, maxEvents: batchEvents_max })) {
    const meant = events.filter((event) => isMeant(event))
    for (const event of meant) {
      if (signal.aborted) return
      await handleOrPass({ handle, onError }, attempt, event)
    }
    unnoted += events.length
    const last = events.at(-1)
    if (!last || (meant.length === 0 && unnoted < unnotedEvents_max)) continue
    await client.query('update followers.checkpoints set position = $2 where name = $1', [name, last.position])
    unnoted = 0
  }
}

async function handleOrPass(
  { handle, onError }: Pick<FollowerSettings, 'handle' | 'onError'>,
  attempt: Attempt,
  event: RecordedEvent,
): Promise<void> {
  try {
    await handle(event)
  } catch (error) {
    // The fault is not the event's: nothing is passed over because something cannot be had for a while.
    if (error instanceof Unavailable) throw error
    attempt.tries = attempt.position === event.position ? attempt.tries + 1 : 1
    attempt.position = event.position
    if (attempt.tries < tries_max) throw error
    onError(error)
  }
}

async function beginning(client: PoolClient, name: string, store: Pick<EventStore, 'end'>): Promise<Position> {
  const known = await client.query('select position from followers.checkpoints where name = $1', [name])
  if (known.rows.length > 0) return positionRow.parse(known.rows[0]).position
  const end = await store.end()
  await client.query('insert into followers.checkpoints (name, position) values ($1, $2)', [name, end])
  return end
}
