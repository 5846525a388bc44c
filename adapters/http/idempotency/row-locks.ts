import pg from 'pg'
import { keyedQueue } from '../../../application/commands/keyed-queue.js'
import type { PostgresConnection } from '../../postgres/database.js'
import type { Release } from './idempotency-rows.js'

/** Locks that other processes see, held by one connection; they end with it, and so with the process. */
export interface RowLocks {
  lock(id: Uint8Array): Promise<Release | undefined>
  close(): Promise<void>
}

/**
 * Advisory locks of a Postgres session. Where the connection breaks, what was locked is free and the next lock makes a new
 * connection: two processes may then run one command at once, which appends the very same events.
 */
export function rowLocks(connection: PostgresConnection, onError: (error: unknown) => void): RowLocks {
  const session = openSession(connection, onError)
  const held = new Set<string>()
  return {
    async lock(id) {
      const number = Buffer.from(id).readBigInt64BE().toString()
      // The session itself may take a lock that it has.
      if (held.has(number)) return undefined
      held.add(number)
      const free = (): unknown => held.delete(number)
      const taken = await session.ask('select pg_try_advisory_lock($1) as yes', number).catch((error: unknown) => {
        free()
        throw error
      })
      if (!taken) return void free()
      return async () => {
        free()
        // A lock whose connection is gone is free already: then there is nothing to unlock, which is no error.
        await session.ask('select pg_advisory_unlock($1) as yes', number).catch(onError)
      }
    },
    close: () => session.close(),
  }
}

interface Session {
  /** Runs a statement that takes a number and answers `yes` or not. */
  ask(statement: string, number: string): Promise<boolean>
  close(): Promise<void>
}

/** One connection, made when it is needed. One statement at a time; where one fails the connection goes, with its locks. */
function openSession(connection: PostgresConnection, onError: (error: unknown) => void): Session {
  const turns = keyedQueue()
  let opened: Promise<pg.Client> | undefined

  async function open(): Promise<pg.Client> {
    const client = new pg.Client(connection)
    client.on('error', (error) => {
      opened = undefined
      onError(error)
    })
    await client.connect()
    return client
  }

  async function close(): Promise<void> {
    const last = opened
    opened = undefined
    await last?.then((client) => client.end()).catch(onError)
  }

  return {
    ask: (statement, number) =>
      turns.run('', async () => {
        opened ??= open()
        try {
          const { rows } = await (await opened).query<{ readonly yes: boolean }>(statement, [number])
          return rows[0]?.yes === true
        } catch (error) {
          await close()
          throw error
        }
      }),
    close,
  }
}
