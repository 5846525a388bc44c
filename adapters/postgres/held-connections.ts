import pg from 'pg'
import { breakOff, processIdOf, writeTogether } from './client-inside.ts'

/** Postgres ends a connection that holds a lock and is silent for this long, and releases its locks. */
export const heldSilence_ms_max = 5000
/** Two beats may be late by half a second before Postgres ends the connection. */
const beat_ms = 2000
/** If a beat is not answered for this long, its sender checks on another connection whether the first one still exists. */
const unanswered_ms_max = 5000
/** The pool closes an idle connection before Postgres would end it. */
const idle_ms_max = 2000

/** Makes Postgres end a connection whose transaction stays idle, or whose host accepts no data, for this many milliseconds. */
export function standstillSession(ms: number): Readonly<Record<string, string>> {
  // On a unix socket, Postgres accepts the second setting without effect.
  return { idle_in_transaction_session_timeout: String(ms), tcp_user_timeout: String(ms) }
}

/** The Postgres settings of such a connection. */
export const heldSession: Readonly<Record<string, string>> = {
  ...standstillSession(heldSilence_ms_max),
  idle_session_timeout: String(heldSilence_ms_max),
}

/** The client's options for it. */
export const heldOptions: pg.PoolConfig = {
  // A beat is sent even while a statement runs.
  pipeline: true,
  keepAlive: true,
  keepAliveInitialDelayMillis: beat_ms,
  idleTimeoutMillis: idle_ms_max,
}

/** When a connection was last known to be alive, in milliseconds of performance.now(): something sent then was answered. */
const provenAt = new WeakMap<pg.ClientBase, number>()
/** How much earlier than Postgres a process considers its connection lost. */
const margin_ms = 500

/**
 * Whether a connection of such a pool still holds its locks. False for a process that resumes after a hang, before it notices
 * that Postgres has ended the connection.
 */
export function stillHolds(client: pg.ClientBase): boolean {
  const proven = provenAt.get(client)
  return proven !== undefined && performance.now() - proven < heldSilence_ms_max - margin_ms
}

/**
 * Sends a beat every `beat_ms` on every checked-out connection of a pool. If Postgres no longer knows a connection, as after its
 * host vanished, it is broken off, so that its user notices. Returns a function that ends this.
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
  /** When the beat under way was sent, in milliseconds of performance.now(). */
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
    // In a failed transaction the answer is an error. That still is an answer, unless the connection is gone.
    client.query('select').then(answered, (error: unknown) => {
      if (error instanceof pg.DatabaseError && error.severity === 'ERROR') answered()
    })
  } else if (performance.now() - beat.since > unanswered_ms_max && !beat.isAsking) {
    beat.isAsking = true
    void breakOffWhereUnknown(pool, client).finally(() => (beat.isAsking = false))
  }
}

/** A slow statement is no reason to break off: Postgres knows the connection, and works for it. */
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
