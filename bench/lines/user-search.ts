import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'
import { findRunningPostgres } from '../../adapters/postgres/embedded/start.ts'
import { call, register } from '../../test/support/load-api.ts'
import { startProduct, type ProductProcess } from '../../test/support/product-process.ts'
import { layAccounts, type LaidAccount } from '../administration/lay-accounts.ts'
import { userSearches, type UserSearch } from '../administration/user-searches.ts'
import { openConnection } from '../http/raw-connection.ts'
import { rawRequest } from '../http/raw-request.ts'
import type { LineSettings } from '../support/line.ts'
import { openPool } from '../support/pool.ts'
import { compare, verdictOf, type Comparison, type Sample } from '../support/rounds.ts'
import { scratch } from '../support/scratch.ts'
import { timed, timeOf } from '../support/timed.ts'
import { portOf } from './http-site.ts'

const few_accounts = 10_000
/** How much slower an exact selector may be among many accounts than among few. */
const slower_max = 1.5

/**
 * List users, one request at a time, its audit entry included, beside the bare statement that finds as much: among 10,000
 * accounts, and among many.
 */
export async function userSearchLine(settings: LineSettings): Promise<readonly Comparison[]> {
  const few = await amongAccounts(few_accounts, settings)
  const many = settings.accounts > few_accounts ? await amongAccounts(settings.accounts, settings) : []
  return [...few, ...many.map((comparison, index) => besideFew(comparison, few[index], userSearches[index]))]
}

async function amongAccounts(
  accounts_count: number,
  { seconds, rounds }: Pick<LineSettings, 'seconds' | 'rounds'>,
): Promise<readonly Comparison[]> {
  const place = scratch()
  // What name servers of the machine's network answer, and how soon, is not measured.
  const environment = { DNS_SERVERS: 'off' }
  const product = await startProduct({ dataDir: place.folder, environment }).catch((error: unknown) => {
    place.remove()
    throw error
  })
  try {
    const token = await administrator(product)
    const pool = await poolBeside(product)
    try {
      const began = performance.now()
      const accounts = await layAccounts(pool, accounts_count)
      console.log(`  ${accounts_count} accounts are there after ${Math.round(performance.now() - began)} ms`)
      const comparisons: Comparison[] = []
      for (const search of userSearches) {
        const line = `user search: ${search.name}, ${accounts_count.toLocaleString('en')} accounts`
        const product_ = () => ofProduct(product, token, search, accounts, seconds)
        const baseline = () => ofStatement(pool, search, accounts, seconds)
        await product_()
        comparisons.push(
          withTimes(await compare({ line, unit: '1/s (by p50)', rounds, baseline, product: product_ }), search),
        )
      }
      return comparisons
    } finally {
      await pool.end()
    }
  } finally {
    await product.stop().finally(() => place.remove())
  }
}

/** Registers an account, and gives it every ACL as an operator does. Gives its token. */
async function administrator({ url, dataDir }: ProductProcess): Promise<string> {
  const { id, token } = await call(url, register('searcher'))
  const program = path.join(import.meta.dirname, '../../cli/guildhall.js')
  const environment = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', EVENTSTORE_URL: '', NATS_URL: '' }
  await promisify(execFile)(process.execPath, [program, 'admin', 'grant', id, '*'], { env: environment })
  return token
}

async function poolBeside({ dataDir }: ProductProcess): Promise<pg.Pool> {
  const connection = await findRunningPostgres(path.join(dataDir, 'postgres'))
  if (!connection) throw new Error('The Postgres of the product is not to be found')
  return openPool(connection, 1)
}

async function ofProduct(
  { url }: ProductProcess,
  token: string,
  { name, query }: UserSearch,
  accounts: readonly LaidAccount[],
  seconds: number,
): Promise<Sample> {
  const port = portOf(url)
  const requests = accounts.map((account) =>
    rawRequest(port, {
      method: 'GET',
      path: `/v1/admin/users?${new URLSearchParams(query(account)).toString()}`,
      token,
    }),
  )
  const connection = await openConnection(port)
  try {
    return await timed(seconds, async (turn) => {
      const status = await connection.ask(requests[turn % requests.length] ?? Buffer.alloc(0))
      if (status !== 200) throw new Error(`List users by ${name} answered ${status}`)
    })
  } finally {
    connection.close()
  }
}

function ofStatement(
  pool: pg.Pool,
  { statement }: UserSearch,
  accounts: readonly LaidAccount[],
  seconds: number,
): Promise<Sample> {
  const statements = accounts.map(statement)
  return timed(seconds, async (turn) => {
    const { text, values } = statements[turn % statements.length] ?? { text: 'select 1', values: [] }
    await pool.query(text, [...values])
  })
}

function withTimes(comparison: Comparison, { p99_ms_max }: UserSearch): Comparison {
  const of = (side: 'product' | 'baseline'): string =>
    `p50 ${timeOf(comparison, side, 'p50_ms').toFixed(1)} ms, p99 ${timeOf(comparison, side, 'p99_ms').toFixed(1)} ms`
  const verdict = verdictOf(timeOf(comparison, 'product', 'p99_ms') <= p99_ms_max)
  return {
    ...comparison,
    notes: [`${of('product')}; the statement ${of('baseline')}; p99 of at most ${p99_ms_max} ms: ${verdict}`],
  }
}

/** Adds how much slower an exact search is than among few accounts. */
function besideFew(comparison: Comparison, few: Comparison | undefined, search: UserSearch | undefined): Comparison {
  if (!few || search?.isExact !== true) return comparison
  const times = timeOf(comparison, 'product', 'p50_ms') / timeOf(few, 'product', 'p50_ms')
  const verdict = verdictOf(times <= slower_max)
  const note = `p50 ${times.toFixed(2)} times that among ${few_accounts.toLocaleString('en')} accounts; at most ${slower_max}: ${verdict}`
  return { ...comparison, notes: [...comparison.notes, note] }
}
