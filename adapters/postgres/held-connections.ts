import pg from 'pg'
import { breakOff, processIdOf, writeTogether } from './client-inside.js'

/** A connection that holds a lock and says nothing for so long is ended by Postgres, and its locks with it. */
export const heldSilence_ms_max = 4000
const beat_ms = 1000
/** A beat that is not answered for so long makes its sender ask, on another connection, whether the first one still stands. */
const unanswered_ms_max = 5000
/** An idle connection goes before Postgres would end it. */
const idle_ms_max = 2000

/** Has Postgres end a connection whose transaction stands still, or whose host takes nothing more, after so many milliseconds. */
export function standstillSession(ms: number): Readonly<Record<string, string>> {
  // On a unix socket Postgres takes the second time, and has no use for it.
  return { idle_in_transaction_session_timeout: String(ms), tcp_user_timeout: String(ms) }
}

/** What Postgres is told at the start of such a connection. */
export const heldSession: Readonly<Record<string, string>> = {
  ...standstillSession(heldSilence_ms_max),
  idle_session_timeout: String(heldSilence_ms_max),
}

/** What the client is told. */
export const heldOptions: pg.PoolConfig = {
  // A beat goes out while a statement still runs.
  pipeline: true,
  keepAlive: true,
  keepAliveInitialDelayMillis: beat_ms,
  idleTimeoutMillis: idle_ms_max,
}

/** When a connection was last known to stand, in milliseconds of performance.now(): what was sent then was answered. */
const provenAt = new WeakMap<pg.ClientBase, number>()
/** So much sooner than Postgres a process takes its connection for lost. */
const margin_ms = 500

/**
 * Whether a connection of such a pool still holds what it has locked. False for a process that comes back after a hang, before it
 * hears that Postgres has ended the connection.
 */
export function stillHolds(client: pg.ClientBase): boolean {
  const proven = provenAt.get(client)
  return proven !== undefined && performance.now() - proven < heldSilence_ms_max - margin_ms
}

/**
 * Has every connection of a pool that is taken say each second that it lives. One that Postgres does not know any more, as
 * after a host was lost without a word, is broken off, so that whoever holds it hears of that. Gives what ends this.
 */
export function keepAlive(pool: pg.Pool): () => void {
  const taken = new Map<pg.PoolClient, Beat>()
  pool.on('acquire', (client) => {
    taken.set(client, { since: undefined, isAsking: false })
    provenAt.set(client, performance.now())
  })
  pool.on('release', (_error, client) => taken.delete(client))
  pool.on('remove', (client) => taken.delete(client))
  pool.on('connect', (client) => {
    writeTogether(client)
    client.once('end', () => provenAt.delete(client))
  })
  const timer = setInterval(() => {
    for (const [client, beat] of taken) sendBeat(pool, client, beat)
  }, beat_ms)
  timer.unref()
  return () => clearInterval(timer)
}

interface Beat {
  /** When the beat that is on its way was sent, in milliseconds of performance.now(). */
  since: number | undefined
  isAsking: boolean
}

function sendBeat(pool: pg.Pool, client: pg.PoolClient, beat: Beat): void {
  if (beat.since === undefined) {
    const sent_ms = performance.now()
    beat.since = sent_ms
    const answered = (): void => {
      beat.since = undefined
      provenAt.set(client, sent_ms)
    }
    // In a transaction that failed the answer is an error: an answer nevertheless, unless the connection is gone.
    client.query('select').then(answered, (error: unknown) => {
      if (error instanceof pg.DatabaseError && error.severity === 'ERROR') answered()
    })
  } else if (performance.now() - beat.since > unanswered_ms_max && !beat.isAsking) {
    beat.isAsking = true
    void breakOffWhereUnknown(pool, client).finally(() => (beat.isAsking = false))
  }
}

/** A statement that takes long is no reason: Postgres knows the connection, and is at work for it. */
async function breakOffWhereUnknown(pool: pg.Pool, client: pg.PoolClient): Promise<void> {
  const asked = await pool
    .query<{ known: boolean }>(
      `select exists (select from pg_stat_activity
         where pid = $1 and datname = current_database() and state <> 'idle') as known`,
      [processIdOf(client)],
    )
    .catch(() => undefined)
  if (asked?.rows[0]?.known === false) breakOff(client)
}
