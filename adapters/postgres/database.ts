import pg from 'pg'
import { pinnedSession } from './client.ts'
import { heldOptions, heldSession, keepAlive, standstillSession } from './held-connections.ts'
import { orPostgresUnavailable } from './postgres-unavailable.ts'
import { slonikQueries, type SlonikQueries } from './slonik-queries.ts'

/** How to reach a Postgres: an address and an account, or the folder of a unix socket as the host. */
export type PostgresConnection = Pick<
  pg.PoolConfig,
  'host' | 'port' | 'user' | 'password' | 'database' | 'connectionString' | 'ssl'
>

/** Typed queries over a pool, and the pool itself. The queries reject with PostgresUnavailable if Postgres is unavailable. */
export interface PostgresDatabase extends SlonikQueries {
  /** For what typed queries don't cover: LISTEN, COPY, advisory locks, batches. Rejects with the client's own errors. */
  readonly pool: pg.Pool
  close(): Promise<void>
}

export interface DatabaseSettings {
  /** What its connections are for. Postgres lists them as `guildhall <purpose>`, unless the address names them. */
  readonly purpose?: string
  readonly connections_max?: number
  /**
   * Makes Postgres plan each statement for its values: needed where tables grow from nothing while statements stay prepared.
   */
  readonly customPlans?: boolean
  /**
   * Its connections hold locks. A checked-out connection sends a beat every two seconds. If its process hangs or its host is gone,
   * Postgres ends the connection, and with it the locks, after `heldSilence_ms_max`. Statements are pipelined.
   */
  readonly holdsLocks?: boolean
  /** Postgres settings for each of its connections, by name. */
  readonly session?: Readonly<Record<string, string>>
  /**
   * How long a statement may go without an answer. After that it rejects with PostgresUnavailable, and Postgres cancels it. For
   * short statements that a caller waits for. If absent, there is no limit.
   */
  readonly answer_ms_max?: number
  /**
   * How long a transaction may be idle between two statements. After that Postgres ends it with its connection, and releases
   * its locks. For processes that hang, and hosts that vanish. If absent, there is no limit.
   */
  readonly standstill_ms_max?: number
  /**
   * Reads outside of transactions that are asked for in the same turn of the event loop share a connection, one after another
   * (docs/decisions/0164-slonik.md). For many short ones.
   */
  readonly sharesReads?: boolean
  /** Default: `connect_ms_max`. */
  readonly wait_ms_max?: number
  readonly onError?: (error: Error) => void
  /**
   * Checks or prepares a new connection before its first use. If it rejects, the caller who wanted the connection gets the
   * error.
   */
  readonly onConnect?: (client: pg.ClientBase) => Promise<void>
}

/** How long it may take to make a connection, or to wait for a free one. */
export const connect_ms_max = 5000
/** After this long without traffic, the system checks whether the host of Postgres is still there. */
export const keepAlive_ms = 10_000
/** `answer_ms_max` if a request waits for the answer. */
export const requestAnswer_ms_max = 10_000
/** `standstill_ms_max` if requests wait for the transaction's locks: half of their own waiting time. */
export const requestStandstill_ms_max = 5000

/** Opens a pool. Nothing is connected until the first query. */
export function openDatabase(connection: PostgresConnection, settings: DatabaseSettings = {}): PostgresDatabase {
  const { answer_ms_max, purpose, sharesReads = false } = settings
  const pool = new pg.Pool({
    ...pinnedSession(connection, sessionOf(settings)),
    connectionTimeoutMillis: settings.wait_ms_max ?? connect_ms_max,
    types: { getTypeParser },
    ...(purpose !== undefined && { application_name: `guildhall ${purpose}` }),
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAlive_ms,
    ...connectHook(settings.onConnect),
    max: settings.connections_max ?? 10,
    // Bounded on both sides: a stopped Postgres cancels nothing, and a blocked one continues without its client.
    ...(answer_ms_max !== undefined && { statement_timeout: answer_ms_max, query_timeout: answer_ms_max }),
    ...(settings.holdsLocks ? heldOptions : {}),
    ...(sharesReads && { pipeline: true }),
  })
  const stopKeeping = settings.holdsLocks ? keepAlive(pool) : () => undefined
  let isClosing = false
  // The pool replaces an idle connection that breaks; without a listener, its error would end the process. A connection that
  // the server ends while the pool closes is not reported.
  pool.on('error', (error) => {
    if (!isClosing) settings.onError?.(asPostgresError(error))
  })
  // The same for a connection that breaks between two statements while it is checked out: the next statement rejects.
  pool.on('connect', (client) => void client.on('error', ignore))
  return {
    ...slonikQueries(pool, sharesReads),
    pool,
    close: async () => {
      isClosing = true
      await pool.end().finally(stopKeeping)
    },
  }
}

/** The pool waits for the hook's promise, but its types don't say so. */
function connectHook(onConnect: DatabaseSettings['onConnect']): pg.PoolConfig {
  return onConnect ? { onConnect: (client): unknown => onConnect(client) } : {}
}

/** The Postgres settings of its connections. */
function sessionOf(settings: DatabaseSettings): Readonly<Record<string, string>> {
  const { customPlans, holdsLocks, standstill_ms_max, session = {} } = settings
  return {
    ...(customPlans && { plan_cache_mode: 'force_custom_plan' }),
    ...(standstill_ms_max !== undefined && standstillSession(standstill_ms_max)),
    ...(holdsLocks && heldSession),
    ...session,
  }
}

const ignore = (): void => undefined

const asPostgresError = (error: Error): Error => {
  const known = orPostgresUnavailable(error)
  return known instanceof Error ? known : error
}

const timestamptzOid = 1184
const timestamptzArrayOid = 1185

const isoText = (value: string): string => new Date(value).toISOString()

/** Timestamps as ISO text. int8 stays the text that Postgres sends, because ids don't fit a number. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === timestamptzOid) return isoText
  if (oid === timestamptzArrayOid) throw new Error('Arrays of timestamps are not read: give the column another type')
  return pg.types.getTypeParser(oid, format)
}
