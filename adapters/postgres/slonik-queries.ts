import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { createDriverFactory, createPool, type CommonQueryMethods, type Interceptor, type QueryResultRow } from 'slonik'
import { inSameTurn } from '../../application/concurrency/same-turn.ts'
import type { Queries } from '../../application/ports/database.ts'
import { readRow } from '../../application/sql/read-row.ts'
import { inOneWrite } from './client-inside.ts'
import { orPostgresUnavailable } from './postgres-unavailable.ts'

export interface SlonikQueries extends Queries {
  /** Runs queries in one transaction, one after another. If `work` rejects, the transaction is undone. */
  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>
}

type Result = pg.QueryResult<Record<string, unknown>>
type Send = (statement: pg.QueryConfig) => Promise<Result>

/**
 * Slonik over the connections of a pool (docs/decisions/0164-slonik.md). Rejects with PostgresUnavailable if Postgres is unavailable.
 * Reads of the same turn share a connection if the pool's connections are pipelined, as `sharesReads` says.
 */
export function slonikQueries(pool: pg.Pool, sharesReads: boolean): SlonikQueries {
  const alone: Send = (statement) => pool.query(statement)
  const send = sharesReads ? readingTogether(pool, alone) : alone
  const opening = createPool('', {
    driverFactory: createDriverFactory(() =>
      Promise.resolve({ createPoolClient: () => Promise.resolve(borrower(pool, send)) }),
    ),
    interceptors: [statements],
    // The bounds and times of connections are the pool's: its borrowers have none, and are never reset.
    maxPoolSize: Number.MAX_SAFE_INTEGER,
    idleTimeout: 'DISABLE_TIMEOUT',
    maximumConnectionAge: 'DISABLE_TIMEOUT',
    resetConnection: () => Promise.resolve(),
    typeParsers: [],
    captureStackTrace: false,
    // The callers decide what is tried again.
    connectionRetryLimit: 0,
    queryRetryLimit: 0,
    transactionRetryLimit: 0,
    // A transaction may ask other databases meanwhile, and this one on another connection.
    dangerouslyAllowForeignConnections: true,
  })
  return {
    ...queriesOf(opening),
    transaction: async (work) => (await opening).transaction((own) => work(queriesOf(own))),
  }
}

function queriesOf(methods: CommonQueryMethods | Promise<CommonQueryMethods>): Queries {
  return {
    any: async (query) => (await methods).any(query),
    maybeOne: async (query) => (await (await methods).maybeOne(query)) ?? undefined,
    one: async (query) => (await methods).one(query),
  }
}

/** Has Postgres keep each statement prepared, and reads its rows. */
const statements: Interceptor = {
  name: 'statements',
  transformQuery: (_context, query) => ({ ...query, name: query.name ?? nameOf(query.sql) }),
  transformRow: ({ resultParser }, _query, row) =>
    resultParser ? (readRow(resultParser, row) as QueryResultRow) : row,
  // Slonik's own errors have the values of the statement, which must not be logged.
  dataIntegrityError(_context, { sql }, { message }) {
    throw new Error(`${message} ${sql}`)
  },
}

const names = new Map<string, string>()

/** The name derives from the text, because a pooler between the product and Postgres may share connections among processes. */
function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = `q${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
    names.set(text, name)
  }
  return name
}

/** One that is slow holds up so many others at most. */
const together_max = 8
/** What calls a function of ours or of Postgres may write, or wait for others. */
const isRead = /^\s*select\s+(?!(?:\* from )?(?:\w+\.\w+|pg_\w+)\()/i

/** A statement, and how to do something as who asked for it: traces are told whose it is. */
interface Asked {
  readonly statement: pg.QueryConfig
  readonly as: (send: () => Promise<Result>) => Promise<Result>
}

/**
 * Has the reads that are asked for in the same turn of the event loop share a connection and a write, which cost more than most
 * reads do. Each is carried out once, and fails for itself.
 */
function readingTogether(pool: pg.Pool, alone: Send): Send {
  const read = inSameTurn<Asked, PromiseSettledResult<Result>>({
    items_max: together_max,
    async alone({ statement, as }) {
      const [settled] = await Promise.allSettled([as(() => alone(statement))])
      return settled
    },
    async together(asked) {
      const client = await pool.connect()
      const sent = inOneWrite(client, () =>
        asked.map(({ statement, as }) => as(() => client.query<Record<string, unknown>>(statement))),
      )
      const all = await Promise.allSettled(sent)
      // As the pool does after a failure: the connection may be lost, or late.
      client.release(all.some(({ status }) => status === 'rejected'))
      return all
    },
  })
  return async (statement) => {
    // One without a name may take its time: it is planned for its values.
    if (!statement.name || !isRead.test(statement.text)) return alone(statement)
    const settled = await read({ statement, as: AsyncLocalStorage.snapshot() })
    if (settled.status === 'rejected') throw settled.reason
    return settled.value
  }
}

/** What slonik takes for a connection: it borrows one of the pool's for each statement, and keeps one for a transaction. */
function borrower(pool: pg.Pool, send: Send) {
  let kept: pg.PoolClient | undefined
  const giveBack = (isWhole: boolean): void => {
    kept?.release(!isWhole)
    kept = undefined
  }
  async function query(text: string, values: unknown[] = [], { name = '' }: { readonly name?: string } = {}) {
    if (text === 'START TRANSACTION') kept = await pool.connect()
    const statement = { name, text, values }
    const { rows, rowCount } = await (kept ? kept.query<Record<string, unknown>>(statement) : send(statement))
    if (text === 'COMMIT') giveBack(true)
    // The callers use neither the command nor the fields.
    return { command: 'SELECT' as const, fields: [], rows, rowCount }
  }
  async function undo() {
    // If it could not be undone in order, closing the connection undoes it.
    await kept?.query('ROLLBACK').then(
      () => giveBack(true),
      () => giveBack(false),
    )
    return { command: 'SELECT' as const, fields: [], rows: [], rowCount: 0 }
  }
  return {
    connect: () => Promise.resolve(),
    query: (text: string, ...rest: readonly [unknown[]?, { readonly name?: string }?]) =>
      text === 'ROLLBACK'
        ? undo()
        : query(text, ...rest).catch((error: unknown) => {
            throw orPostgresUnavailable(error)
          }),
    end: () => Promise.resolve(giveBack(false)),
    stream: () => {
      throw new Error('Rows are not streamed')
    },
  }
}
