import type { PoolClient } from 'pg'
import { z } from 'zod'
import type { EventStore, RecordedEvent } from '../../application/ports/event-store.ts'
import type { Position } from '../../domain/kernel/position.ts'
import { Unavailable } from '../../application/failures/unavailable.ts'
import { asError } from '../../application/concurrency/as-error.ts'
import type { Elector } from '../../application/concurrency/elector.ts'
import { pause } from '../../application/concurrency/pauses.ts'

export interface FollowerSettings {
  /** Names the checkpoint and the lock. Of all processes with the same name, one follows. */
  readonly name: string
  /** Its connection is held while this follows or waits to follow, and notes the checkpoint. */
  readonly elector: Elector<PoolClient>
  readonly store: Pick<EventStore, 'end' | 'follow'>
  /** Whether this follower handles an event. */
  readonly isMeant: (event: Pick<RecordedEvent, 'type'>) => boolean
  /**
   * Called with each such event in order, at least once. A rejection with a kind of Unavailable is retried without limit; any
   * other one `tries_max` times, and then the event is skipped.
   */
  readonly handle: (event: RecordedEvent) => Promise<void>
  /** Events that arrive together and have different keys may be handled at once, each key's in order. By default all have one. */
  readonly keyOf?: (event: RecordedEvent) => string
  readonly onError: (error: unknown) => void
  /** The pause before it tries again, to lead or to handle an event. Default: 0.5 s. */
  readonly standby_ms?: number
}

export interface Follower {
  /** Finishes the current event and lets another process follow. */
  stop(): Promise<void>
}

/** 'GHFO' in ASCII, read as a number; the second key is a hash of the name. */
const lockClass = 1_195_919_951
const stockStandby_ms = 500
const batchEvents_max = 100
/** The most events without a match that are read again after a crash. */
const unnotedEvents_max = 1000
export const tries_max = 5

const positionRow = z.object({ position: z.coerce.bigint() })

/**
 * Follows all events in one process at a time, from where the last process stopped. If none ever followed, it starts at the end
 * of the store: imported events are not news.
 */
export function followAlone(settings: FollowerSettings): Follower {
  const { onError, standby_ms = stockStandby_ms } = settings
  const stopping = new AbortController()
  const attempt = { position: -1n, tries: 0 }
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const key = [lockClass, settings.name] as const
        await settings.elector.lead({ key, standby_ms, signal: stopping.signal }, (client, signal) =>
          follow(settings, client, attempt, signal),
        )
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

/** The event that failed last, and how often it failed. */
interface Attempt {
  position: Position
  tries: number
}

async function follow(
  settings: FollowerSettings,
  client: PoolClient,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<void> {
  const { name, store, isMeant } = settings
  const after = await beginning(client, name, store)
  let unnoted = 0
  for await (const events of store.follow(after, { signal, maxEvents: batchEvents_max })) {
    const meant = events.filter((event) => isMeant(event))
    if (!(await handledApart(settings, meant, signal))) {
      for (const event of meant) {
        if (signal.aborted) return
        // Noted at once: if a later one fails, this one is not tried again.
        if ((await handleOrPass(settings, attempt, event)) === 'passed') await note(client, name, event.position)
      }
    }
    unnoted += events.length
    const last = events.at(-1)
    if (!last || (meant.length === 0 && unnoted < unnotedEvents_max)) continue
    await note(client, name, last.position)
    unnoted = 0
  }
}

/**
 * Handles events of different keys at once; false if that is not to be, or if one of them fails: then all are handled again in turn,
 * which finds the one at fault.
 */
async function handledApart(
  { handle, keyOf }: FollowerSettings,
  events: readonly RecordedEvent[],
  signal: AbortSignal,
): Promise<boolean> {
  if (!keyOf || events.length < 2) return false
  const last = new Map<string, Promise<void>>()
  for (const event of events) {
    const key = keyOf(event)
    const before = last.get(key) ?? Promise.resolve()
    last.set(
      key,
      before.then(() => (signal.aborted ? Promise.reject(asError(signal.reason)) : handle(event))),
    )
  }
  const settled = await Promise.allSettled(last.values())
  return settled.every(({ status }) => status === 'fulfilled')
}

async function handleOrPass(
  { handle, onError }: Pick<FollowerSettings, 'handle' | 'onError'>,
  attempt: Attempt,
  event: RecordedEvent,
): Promise<'handled' | 'passed'> {
  try {
    await handle(event)
    return 'handled'
  } catch (error) {
    // The event is not at fault. An unavailable dependency must not make us skip events.
    if (error instanceof Unavailable) throw error
    attempt.tries = attempt.position === event.position ? attempt.tries + 1 : 1
    attempt.position = event.position
    if (attempt.tries < tries_max) throw error
    onError(error)
    return 'passed'
  }
}

async function note(client: PoolClient, name: string, position: Position): Promise<void> {
  await client.query('update followers.checkpoints set position = $2 where name = $1', [name, position])
}

async function beginning(client: PoolClient, name: string, store: Pick<EventStore, 'end'>): Promise<Position> {
  const known = await client.query('select position from followers.checkpoints where name = $1', [name])
  if (known.rows.length > 0) return positionRow.parse(known.rows[0]).position
  const end = await store.end()
  await client.query('insert into followers.checkpoints (name, position) values ($1, $2)', [name, end])
  return end
}
