import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import type { Queries } from '../../application/ports/database.js'

/** Where a Postgres is reached: an address and an account, or a unix socket's folder as the host. */
export type PostgresConnection = Pick<
  pg.PoolConfig,
  'host' | 'port' | 'user' | 'password' | 'database' | 'connectionString' | 'ssl'
>

/** Typed queries over a pool, and the pool itself. */
export interface PostgresDatabase extends Queries {
  /** For what typed queries don't cover: LISTEN, COPY, advisory locks, batches. */
  readonly pool: pg.Pool
  close(): Promise<void>
}

export interface DatabaseSettings {
  readonly connections_max?: number
  /** Plan each statement for its values: right where tables grow from nothing while statements stay prepared. */
  readonly customPlans?: boolean
  readonly onError?: (error: Error) => void
}

const knownStatements_max = 1000
const connectTimeout_ms = 5000

/** Opens a pool. Nothing is connected until the first query. */
export function openDatabase(connection: PostgresConnection, settings: DatabaseSettings = {}): PostgresDatabase {
  const pool = new pg.Pool({
    ...connection,
    max: settings.connections_max ?? 10,
    connectionTimeoutMillis: connectTimeout_ms,
    types: { getTypeParser },
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
    close: () => {
      isClosing = true
      return pool.end()
    },
  }
}

function queriesOver(client: Pick<pg.ClientBase, 'query'>): Queries {
  const any: Queries['any'] = async (query) => {
    const { rows } = await client.query({
      name: statementName(query.sql),
      text: statementText(query.sql),
      values: [...query.values],
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
