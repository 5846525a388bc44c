import pg from 'pg'
import { keyedQueue } from '../../../application/commands/keyed-queue.js'
import { connect_ms_max, requestAnswer_ms_max, type PostgresConnection } from '../../postgres/database.js'
import { orPostgresUnavailable, PostgresUnavailable } from '../../postgres/postgres-unavailable.js'
import type { Release } from './idempotency-rows.js'

/** Locks that other processes see, held by one connection; they end with it, and so with the process. */
export interface RowLocks {
  /** Undefined where another has it. Rejects with PostgresUnavailable where no answer comes in time. */
  lock(id: Uint8Array): Promise<Release | undefined>
  close(): Promise<void>
}

/**
 * Advisory locks of a Postgres session. Where the connection breaks, what was locked is free and the next lock makes a new
 * connection: two processes may then run one command at once, which appends the very same events.
 */
export function rowLocks(
  connection: PostgresConnection,
  onError: (error: unknown) => void,
  answer_ms_max: number = requestAnswer_ms_max,
): RowLocks {
  const session = openSession(connection, onError, answer_ms_max)
  const held = new Set<string>()
  return {
    async lock(id) {
      const number = Buffer.from(id).readBigInt64BE().toString()
      // The session itself may take a lock that it has.
      if (held.has(number)) return undefined
      held.add(number)
      const free = (): unknown => held.delete(number)
      const holder = await session.lock(number).catch((error: unknown) => {
        free()
        throw error
      })
      if (!holder) return void free()
      return async () => {
        free()
        await session.unlock(number, holder).catch(onError)
      }
    },
    close: () => session.close(),
  }
}

interface Session {
  /** The connection that has the lock now; undefined where another session has it. */
  lock(number: string): Promise<pg.Client | undefined>
  /** A lock whose connection is gone is free already: then there is nothing to unlock, which is no error. */
  unlock(number: string, holder: pg.Client): Promise<void>
  close(): Promise<void>
}

/**
 * One statement at a time; where one fails the connection goes, with its locks. A lock that waited `answer_ms_max` for its turn
 * is not tried, so that a Postgres without answers holds up each request only once.
 */
function openSession(
  connection: PostgresConnection,
  onError: (error: unknown) => void,
  answer_ms_max: number,
): Session {
  const turns = keyedQueue()
  const only = onlyClient({ ...connection, query_timeout: answer_ms_max }, onError)

  async function ask(client: pg.Client, statement: string, number: string): Promise<boolean> {
    try {
      const { rows } = await client.query<{ readonly yes: boolean }>(statement, [number])
      return rows[0]?.yes === true
    } catch (error) {
      await only.close()
      throw orPostgresUnavailable(error)
    }
  }

  return {
    lock(number) {
      const until = performance.now() + answer_ms_max
      return turns.run('', async () => {
        if (performance.now() > until) throw new PostgresUnavailable('Postgres answered those before too slowly')
        const client = await only.connected()
        return (await ask(client, 'select pg_try_advisory_lock($1) as yes', number)) ? client : undefined
      })
    },
    unlock: (number, holder) =>
      turns.run('', async () => {
        if (only.isOpen(holder)) await ask(holder, 'select pg_advisory_unlock($1) as yes', number)
      }),
    // In its turn, so that a connection in the making is ended too.
    close: () => turns.run('', () => only.close()),
  }
}

interface OnlyClient {
  /** The one that is open, or else a new one. Rejects with PostgresUnavailable where none can be had. */
  connected(): Promise<pg.Client>
  isOpen(client: pg.Client): boolean
  close(): Promise<void>
}

/** One connection, made when it is needed. It is asked for by one at a time. */
function onlyClient(config: pg.ClientConfig, onError: (error: unknown) => void): OnlyClient {
  let current: pg.Client | undefined

  async function close(): Promise<void> {
    const last = current
    current = undefined
    await last?.end().catch(onError)
  }

  return {
    async connected() {
      if (current) return current
      const client = new pg.Client({ ...config, connectionTimeoutMillis: connect_ms_max })
      // One that breaks later than its successor was made leaves that one, and its locks, alone.
      client.on('error', (error) => {
        if (current === client) current = undefined
        onError(error)
      })
      await client.connect().catch((error: unknown) => {
        throw orPostgresUnavailable(error)
      })
      current = client
      return client
    },
    isOpen: (client) => current === client,
    close,
  }
}
