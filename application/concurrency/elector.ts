import { z } from 'zod'
import type { LockConnection, LockConnections } from '../ports/lock-connections.ts'
import { pause } from './pauses.ts'

/** How long a server that is silent may take to close a connection. */
const closing_ms_max = 1000

/** A lock of Postgres, by two numbers, of which the second may be the hash of a text, or by one of 64 bits. */
export type LockKey = readonly [number, number | string] | readonly [bigint]

/** The connection of an elector, which those who use it share. The locks that they take belong to it. */
export interface Seat<Connection extends LockConnection> {
  readonly client: Connection
  /** Aborts when the connection is lost, and its locks with it. */
  readonly lost: AbortSignal
  /** Whether nobody else held the lock, in this process or another one. Several processes may share a lock. */
  take(key: LockKey, isShared?: boolean): Promise<boolean>
  /** What was sent on the connection before is carried out first: whoever led writes nothing once the lock is free. */
  release(key: LockKey, isShared?: boolean): Promise<void>
}

export interface LeadSettings {
  readonly key: LockKey
  /** How often it asks for the lock while another one leads. */
  readonly standby_ms: number
  /** Ends the wait and the leadership. */
  readonly signal: AbortSignal
}

/** Decides, by locks of Postgres, which of all processes does what one of them does at a time. */
export interface Elector<Connection extends LockConnection> {
  /** Runs a task with the connection, which is opened for the first user and closed after the last one. A lost one is replaced. */
  use<Result>(task: (seat: Seat<Connection>) => Promise<Result>): Promise<Result>
  /** Runs a task while this process holds the lock; undefined if somebody else holds it. */
  tryLead<Result>(
    key: LockKey,
    task: (seat: Seat<Connection>) => Promise<Result>,
  ): Promise<{ readonly result: Result } | undefined>
  /**
   * Waits for the lock, and runs a task while this process holds it. The task's signal aborts when the settings' does, and when the
   * connection is lost. Resolves after the task, or when the signal aborts.
   */
  lead(settings: LeadSettings, task: (client: Connection, signal: AbortSignal) => Promise<void>): Promise<void>
}

interface SharedSeat<Connection extends LockConnection> {
  readonly opened: Promise<Seat<Connection>>
  users: number
}

/** An elector on one connection of a pool. */
export function electorOn<Connection extends LockConnection>(pool: LockConnections<Connection>): Elector<Connection> {
  let current: SharedSeat<Connection> | undefined

  function newSharedSeat(): SharedSeat<Connection> {
    const forget = (): void => {
      if (current === shared) current = undefined
    }
    const shared: SharedSeat<Connection> = { opened: openSeat(pool, forget), users: 0 }
    return shared
  }

  async function leave(shared: SharedSeat<Connection>): Promise<void> {
    shared.users -= 1
    if (shared.users > 0) return
    if (current === shared) current = undefined
    const seat = await shared.opened.catch(() => undefined)
    seat?.client.release(true)
    // The server releases the locks before it closes its side: whoever asks for one next gets it.
    if (seat) await pause(closing_ms_max, seat.lost)
  }

  async function use<Result>(task: (seat: Seat<Connection>) => Promise<Result>): Promise<Result> {
    const shared = (current ??= newSharedSeat())
    shared.users += 1
    try {
      return await task(await shared.opened)
    } finally {
      await leave(shared)
    }
  }

  return {
    use,
    tryLead: (key, task) =>
      use(async (seat) => {
        if (!(await seat.take(key))) return undefined
        try {
          return { result: await task(seat) }
        } finally {
          await seat.release(key)
        }
      }),
    lead: ({ key, standby_ms, signal }, task) =>
      use(async (seat) => {
        const leading = AbortSignal.any([signal, seat.lost])
        while (!leading.aborted) {
          if (await seat.take(key)) {
            try {
              return await task(seat.client, leading)
            } finally {
              await seat.release(key)
            }
          }
          await pause(standby_ms, leading)
        }
      }),
  }
}

/** `onLost` is called when the connection can't be made, or is lost. */
async function openSeat<Connection extends LockConnection>(
  pool: LockConnections<Connection>,
  onLost: () => void,
): Promise<Seat<Connection>> {
  const client = await pool.connect().catch((error: unknown) => {
    onLost()
    throw error
  })
  const lost = new AbortController()
  const giveUp = (reason?: unknown): void => {
    onLost()
    lost.abort(reason)
  }
  client.on('error', giveUp)
  client.on('end', giveUp)
  /** Postgres would give a lock to the same session twice. */
  const held = new Set<string>()
  return {
    client,
    lost: lost.signal,
    async take(key, isShared = false) {
      const name = key.join(' ')
      if (held.has(name)) return false
      // Before Postgres is asked, so that no other user asks meanwhile.
      held.add(name)
      try {
        const { rows } = await client.query(statement('try_advisory_lock', key, isShared))
        const { taken } = takenRow.parse(rows[0])
        if (!taken) held.delete(name)
        return taken
      } catch (error) {
        // The lock may have been taken nevertheless. It is free once everybody has left the connection.
        giveUp(error)
        throw error
      }
    },
    async release(key, isShared = false) {
      if (lost.signal.aborted) return
      try {
        await client.query(statement('advisory_unlock', key, isShared))
        held.delete(key.join(' '))
      } catch (error) {
        giveUp(error)
      }
    },
  }
}

const takenRow = z.object({ taken: z.boolean() })

function statement(act: 'try_advisory_lock' | 'advisory_unlock', [first, second]: LockKey, isShared: boolean) {
  const call = `pg_${act}${isShared ? '_shared' : ''}`
  if (second === undefined) return { text: `select ${call}($1) as taken`, values: [first] }
  const other = typeof second === 'string' ? 'hashtext($2)' : '$2'
  return { text: `select ${call}($1, ${other}) as taken`, values: [first, second] }
}
