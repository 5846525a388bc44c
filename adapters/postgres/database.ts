import pg from 'pg'
import type { Queries, Query } from '../../application/ports/database.js'
import { pinnedSession } from './client.js'
import { heldOptions, heldSession, keepAlive, standstillSession } from './held-connections.js'
import { orPostgresUnavailable } from './postgres-unavailable.js'
import { openSharedLookups, type SharedLookups } from './shared-lookups.js'

/** How to reach a Postgres: an address and an account, or the folder of a unix socket as the host. */
export type PostgresConnection = Pick<
  pg.PoolConfig,
  'host' | 'port' | 'user' | 'password' | 'database' | 'connectionString' | 'ssl'
>

/** Typed queries over a pool, and the pool itself. The queries reject with PostgresUnavailable if Postgres is unavailable. */
export interface PostgresDatabase extends Queries {
  /** For what typed queries don't cover: LISTEN, COPY, advisory locks, batches. Rejects with the client's own errors. */
  readonly pool: pg.Pool
  /** Runs queries in one transaction, one after another. If `work` rejects, the transaction is undone. */
  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

export interface DatabaseSettings {
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
   * Lookups (`sql.lookup`) outside of transactions share a few connections beside the pool's
   * (docs/decisions/0129-lookups-share-connections.md). It takes `answer_ms_max`.
   */
  readonly sharesLookups?: boolean
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
const keepAlive_ms = 10_000
/** `answer_ms_max` if a request waits for the answer. */
export const requestAnswer_ms_max = 10_000
/** `standstill_ms_max` if requests wait for the transaction's locks: half of their own waiting time. */
export const requestStandstill_ms_max = 5000

/** Opens a pool. Nothing is connected until the first query. */
export function openDatabase(connection: PostgresConnection, settings: DatabaseSettings = {}): PostgresDatabase {
  const { answer_ms_max, sharesLookups = false } = settings
  const connecting: pg.PoolConfig = {
    ...pinnedSession(connection, sessionOf(settings)),
    connectionTimeoutMillis: settings.wait_ms_max ?? connect_ms_max,
    types: { getTypeParser },
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAlive_ms,
    ...connectHook(settings.onConnect),
    ...(answer_ms_max !== undefined && { statement_timeout: answer_ms_max }),
  }
  const pool = new pg.Pool({
    ...connecting,
    max: settings.connections_max ?? 10,
    // Bounded on both sides: a stopped Postgres cancels nothing, and a blocked one continues without its client.
    ...(answer_ms_max !== undefined && { query_timeout: answer_ms_max }),
    ...(settings.holdsLocks ? heldOptions : {}),
  })
  const lookups =
    sharesLookups && answer_ms_max !== undefined ? openSharedLookups({ pool: connecting, answer_ms_max }) : undefined
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
    ...queriesOver(pool, lookups),
    pool,
    transaction: (work) => inTransaction(pool, work),
    close: async () => {
      isClosing = true
      await lookups?.close()
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

function queriesOver(client: Pick<pg.ClientBase, 'query'>, lookups?: SharedLookups): Queries {
  const send = ({ name, text, values, isLookup }: Query<unknown>): Promise<pg.QueryResult> => {
    const statement = { name, text, values: [...values] }
    const alone = (): Promise<pg.QueryResult> => client.query(statement)
    return (isLookup ? lookups?.send(statement, alone) : undefined) ?? alone()
  }
  const any = async <Row>(query: Query<Row>): Promise<readonly Row[]> => {
    const { reader } = query
    const { rows } = await send(query).catch((error: unknown) => {
      throw orPostgresUnavailable(error)
    })
    return rows.map((row) => reader.parse(row))
  }
  return {
    any,
    async maybeOne(query) {
      const rows = await any(query)
      if (rows.length > 1) throw new Error(`Expected at most one row, got ${rows.length}: ${query.text}`)
      return rows[0]
    },
    async one(query) {
      const [row, ...others] = await any(query)
      if (row === undefined || others.length > 0)
        throw new Error(`Expected one row, got ${row === undefined ? 0 : others.length + 1}: ${query.text}`)
      return row
    },
  }
}

async function inTransaction<Result>(pool: pg.Pool, work: (queries: Queries) => Promise<Result>): Promise<Result> {
  const client = await pool.connect().catch((error: unknown) => {
    throw orPostgresUnavailable(error)
  })
  const queries = queriesOver(client)
  const run = (statement: string): Promise<unknown> =>
    client.query(statement).catch((error: unknown) => {
      throw orPostgresUnavailable(error)
    })
  let isOver = false
  try {
    await run('begin')
    const result = await work(queries)
    await run('commit')
    isOver = true
    return result
  } catch (error) {
    isOver = await run('rollback').then(
      () => true,
      () => false,
    )
    throw error
  } finally {
    // If it could not be undone in order, closing the connection undoes it.
    client.release(!isOver)
  }
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
