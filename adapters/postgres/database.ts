import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import type { Queries } from '../../application/ports/database.js'
import { orPostgresUnavailable } from './postgres-unavailable.js'

/** Where a Postgres is reached: an address and an account, or a unix socket's folder as the host. */
export type PostgresConnection = Pick<
  pg.PoolConfig,
  'host' | 'port' | 'user' | 'password' | 'database' | 'connectionString' | 'ssl'
>

/** Typed queries over a pool, and the pool itself. The queries reject with PostgresUnavailable where it can't be had. */
export interface PostgresDatabase extends Queries {
  /** For what typed queries don't cover: LISTEN, COPY, advisory locks, batches. Rejects with the client's own errors. */
  readonly pool: pg.Pool
  /** Runs queries in one transaction, one after the other. Where `work` rejects, nothing of it has happened. */
  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

export interface DatabaseSettings {
  readonly connections_max?: number
  /** Plan each statement for its values: right where tables grow from nothing while statements stay prepared. */
  readonly customPlans?: boolean
  /**
   * How long a statement may go without an answer; then it rejects with PostgresUnavailable, and Postgres gives it up. For
   * statements that somebody waits for, which are short. Unbounded where it is left out.
   */
  readonly answer_ms_max?: number
  readonly onError?: (error: Error) => void
}

const knownStatements_max = 1000
/** How long making a connection may take, or waiting for one that is free. */
export const connect_ms_max = 5000
/** `answer_ms_max` where a request waits for the answer. */
export const requestAnswer_ms_max = 10_000

/** Opens a pool. Nothing is connected until the first query. */
export function openDatabase(connection: PostgresConnection, settings: DatabaseSettings = {}): PostgresDatabase {
  const pool = new pg.Pool({
    ...connection,
    max: settings.connections_max ?? 10,
    connectionTimeoutMillis: connect_ms_max,
    types: { getTypeParser },
    ...boundedAnswers(settings.answer_ms_max),
    ...(settings.customPlans ? { options: '-c plan_cache_mode=force_custom_plan' } : {}),
  })
  let isClosing = false
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process. One that the server
  // ends while the pool says goodbye is nobody's concern.
  pool.on('error', (error) => {
    if (!isClosing) settings.onError?.(error)
  })
  return {
    ...queriesOver(pool),
    pool,
    transaction: (work) => inTransaction(pool, work),
    close: () => {
      isClosing = true
      return pool.end()
    },
  }
}

/** Bounded on both sides: a Postgres that is stopped gives up nothing, and one that is blocked goes on without its client. */
function boundedAnswers(answer_ms_max: number | undefined): pg.PoolConfig {
  return answer_ms_max === undefined ? {} : { query_timeout: answer_ms_max, statement_timeout: answer_ms_max }
}

function queriesOver(client: Pick<pg.ClientBase, 'query'>): Queries {
  const any: Queries['any'] = async (query) => {
    const statement = { name: statementName(query.sql), text: statementText(query.sql), values: [...query.values] }
    const { rows } = await client.query(statement).catch((error: unknown) => {
      throw orPostgresUnavailable(error)
    })
    return rows.map((row) => query.parser.parse(row))
  }
  return {
    any,
    async maybeOne(query) {
      const rows = await any(query)
      if (rows.length > 1) throw new Error(`Expected at most one row, got ${rows.length}: ${query.sql}`)
      return rows[0]
    },
    async one(query) {
      const [row, ...others] = await any(query)
      if (row === undefined || others.length > 0)
        throw new Error(`Expected one row, got ${row === undefined ? 0 : others.length + 1}: ${query.sql}`)
      return row
    },
  }
}

async function inTransaction<Result>(pool: pg.Pool, work: (queries: Queries) => Promise<Result>): Promise<Result> {
  const client = await pool.connect().catch((error: unknown) => {
    throw orPostgresUnavailable(error)
  })
  // A connection that breaks between two statements says so in an event too; the next statement rejects with it.
  const ignore = (): void => undefined
  client.on('error', ignore)
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
    client.off('error', ignore)
    // Closing the connection undoes what could not be undone in order.
    client.release(!isOver)
  }
}

const names = new LRUCache<string, { readonly name: string; readonly text: string }>({ max: knownStatements_max })

function statement(template: string): { readonly name: string; readonly text: string } {
  const known = names.get(template)
  if (known) return known
  const text = template.replace(/\$slonik_(\d+)/g, '$$$1')
  const prepared = { name: `q${createHash('sha256').update(text).digest('hex').slice(0, 24)}`, text }
  names.set(template, prepared)
  return prepared
}

const statementName = (template: string): string => statement(template).name
const statementText = (template: string): string => statement(template).text

const timestamptzOid = 1184
const timestamptzArrayOid = 1185

const isoText = (value: string): string => new Date(value).toISOString()

/** Timestamps as ISO text; int8 stays the text that Postgres sends, since ids don't fit a number. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === timestamptzOid) return isoText
  if (oid === timestamptzArrayOid) throw new Error('Arrays of timestamps are not read: give the column another type')
  return pg.types.getTypeParser(oid, format)
}
