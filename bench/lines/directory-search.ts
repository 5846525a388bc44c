import path from 'node:path'
import type pg from 'pg'
import { findRunningPostgres } from '../../adapters/postgres/embedded/start.ts'
import { call, register } from '../../test/support/load-api.ts'
import { startProduct } from '../../test/support/product-process.ts'
import { bytesOfListing, common, layListings, rare } from '../directory/lay-listings.ts'
import { openConnection } from '../http/raw-connection.ts'
import { rawRequest } from '../http/raw-request.ts'
import type { LineSettings } from '../support/line.ts'
import { openPool } from '../support/pool.ts'
import { compare, verdictOf, type Comparison, type Sample } from '../support/rounds.ts'
import { scratch } from '../support/scratch.ts'
import { timed, timeOf } from '../support/timed.ts'
import { portOf } from './http-site.ts'

const [few_listings, many_listings_max] = [1000, 100_000]
const p99_ms_max = 50
const slower_max = 3
const listing_bytes_max = 4096
/** What is looked for, and the word that the bare statement finds as much by. */
interface Wish {
  readonly query: string
  readonly word: string
}
/**
 * One word of each, in ASCII, Cyrillic and Japanese; the empty one filters nothing. Then some that are not written as in the listings:
 * a beginning of many words, a part, a typo, and several at once.
 */
const wishes: readonly Wish[] = [
  ...[...common, ...rare, 'nowhere', ''].map((word) => ({ query: word, word })),
  { query: 'com', word: 'common' },
  { query: 'шахмата', word: 'шахматы' },
  { query: 'commno', word: 'common' },
  { query: 'ing', word: 'common' },
  { query: 'gram ingter drag comm', word: 'nowhere' },
]

/**
 * Search discovery guilds, one request at a time, with the counts of categories, beside a bare statement that finds as much in a table of words under an index: among
 * 1,000 listings, and among 100,000, or as many as there are accounts.
 */
export async function directorySearchLine(settings: LineSettings): Promise<readonly Comparison[]> {
  const few = await amongListings(few_listings, settings)
  const many = await amongListings(Math.min(many_listings_max, settings.accounts), settings)
  return [...few, ...many.map((comparison, index) => besideFew(comparison, few[index]))]
}

async function amongListings(count: number, { seconds, rounds }: LineSettings): Promise<readonly Comparison[]> {
  const place = scratch()
  const product = await startProduct({ dataDir: place.folder }).catch((error: unknown) => {
    place.remove()
    throw error
  })
  try {
    const { token } = await call(product.url, register('searcher'))
    const running = await findRunningPostgres(path.join(product.dataDir, 'postgres'))
    if (!running) throw new Error('The Postgres of the product is not to be found')
    const pool = openPool(running, 1)
    try {
      await layListings(pool, count)
      const bytes = Math.round(await bytesOfListing(pool, count))
      const comparisons: Comparison[] = []
      for (const { query, word } of wishes) {
        const line = `directory search: ${query || 'no word'}, ${count.toLocaleString('en')} listings`
        const ofProduct = () => requests(portOf(product.url), token, query, seconds)
        const baseline = () => statements(pool, word, seconds)
        const measured = await compare({ line, unit: '1/s (by p50)', rounds, baseline, product: ofProduct })
        comparisons.push({ ...measured, notes: [noteOf(measured), sizeNote(bytes)] })
      }
      return comparisons
    } finally {
      await pool.end()
    }
  } finally {
    await product.stop().finally(() => place.remove())
  }
}

async function requests(port: number, token: string, query: string, seconds: number): Promise<Sample> {
  const search = new URLSearchParams({ query }).toString()
  const request = rawRequest(port, { method: 'GET', path: `/v1/discovery/guilds?${search}`, token })
  const connection = await openConnection(port)
  try {
    return await timed(seconds, async () => {
      const status = await connection.ask(request)
      if (status !== 200) throw new Error(`Search discovery guilds answered ${status}`)
    })
  } finally {
    connection.close()
  }
}

function statements(pool: pg.Pool, word: string, seconds: number): Promise<Sample> {
  const isFound = word === '' ? '$1::text = $1' : 'words @> array[$1::text]'
  const found = `from bench.listings s where ${isFound}`
  const text = `select array(select category_type || ' ' || count(*) ${found} group by category_type),
    array(select s.guild_id ${found} order by s.guild_id + 0 limit 24)`
  return timed(seconds, async () => void (await pool.query(text, [word])))
}

function noteOf(comparison: Comparison): string {
  const p99_ms = timeOf(comparison, 'product', 'p99_ms')
  const verdict = verdictOf(p99_ms <= p99_ms_max)
  return `p50 ${timeOf(comparison, 'product', 'p50_ms').toFixed(1)} ms, p99 ${p99_ms.toFixed(1)} ms of at most ${p99_ms_max}: ${verdict}`
}

function sizeNote(bytes: number): string {
  return `${bytes} bytes a listing of at most ${listing_bytes_max}: ${verdictOf(bytes <= listing_bytes_max)}`
}

function besideFew(comparison: Comparison, few: Comparison | undefined): Comparison {
  if (!few) return comparison
  const times = timeOf(comparison, 'product', 'p50_ms') / timeOf(few, 'product', 'p50_ms')
  const note = `p50 ${times.toFixed(2)} times that among ${few_listings}; at most ${slower_max}: ${verdictOf(times <= slower_max)}`
  return { ...comparison, notes: [...comparison.notes, note] }
}
