import { z } from 'zod'
import type { Store } from '../../cli/store.js'
import { appendCommands } from '../../test/support/append-commands.js'
import { call, register, type Person } from '../../test/support/load-api.js'
import type { ProductProcess } from '../../test/support/product-process.js'
import { layListings } from '../directory/lay-listings.js'
import { besideReads, notesBesideReads } from '../support/beside-reads.js'
import type { LineSettings } from '../support/line.js'
import { compare, verdictOf, type Comparison, type Sample } from '../support/rounds.js'
import { withProductAndStore } from '../support/with-product-and-store.js'

const listings_count = 10_000
const took_ms_max = 1000
const aboveIdle_MiB_max = 96
/** One list is too short to tell how others are served meanwhile. */
const lists_count = 5

/**
 * List discovery listings with 10,000 approved, beside a bare statement that reads their rows. Meanwhile a member reads its guild, one
 * request after another.
 */
export function directoryListLine({ rounds }: LineSettings): Promise<Comparison> {
  return withProductAndStore(async (product, store) => {
    const root = await call(product.url, register('root'))
    await appendCommands(store.events, root, [{ type: 'SetAcls', acls: ['*'] }])
    await layListings(store.database.pool, listings_count)
    await listings(product.url, root)
    const comparison = await compare({
      line: `list of ${listings_count.toLocaleString('en')} listings`,
      unit: 'listings/s',
      rounds,
      baseline: () => bare(store),
      product: () => listed(product, root),
    })
    return withBounds(comparison)
  })
}

async function bare({ database: { pool } }: Store): Promise<Sample> {
  const began = performance.now()
  const { rows } = await pool.query(
    `select a.*, g.name, g.icon, g.owner_id, g.features, n.member_count from discovery.applications a
     join guilds.guilds g on g.id = a.guild_id left join members.member_counts n on n.guild_id = a.guild_id
     where a.status = 'approved'`,
  )
  return sampleOf(rows.length, performance.now() - began)
}

async function listed(product: ProductProcess, root: Person): Promise<Sample> {
  const answers: ArrayBuffer[] = []
  let took_ms = 0
  const cost = await besideReads(product, root, async () => {
    for (let turn = 0; turn < lists_count; turn += 1) {
      const began = performance.now()
      answers.push(await listings(product.url, root))
      took_ms = Math.max(took_ms, performance.now() - began)
    }
  })
  // Read after the measurement: so long a text would hold the loop that times the other requests.
  const counts = answers.map((bytes) => z.array(z.unknown()).parse(JSON.parse(new TextDecoder().decode(bytes))).length)
  const { details, ...sample } = sampleOf(Math.min(...counts), took_ms)
  return { ...sample, details: { ...cost, ...details } }
}

async function listings(url: string, { token }: Person): Promise<ArrayBuffer> {
  const answer = await fetch(`${url}/v1/admin/discovery/listings`, { headers: { authorization: token } })
  if (!answer.ok) throw new Error(`List discovery listings answered ${answer.status}`)
  return answer.arrayBuffer()
}

function sampleOf(count: number, took_ms: number): Sample {
  if (count < listings_count) throw new Error(`Only ${count} listings were read`)
  return { rate: (count * 1000) / took_ms, cores: {}, details: { took_ms } }
}

function withBounds(comparison: Comparison): Comparison {
  const took_ms = Math.max(...comparison.samples.map(({ product }) => product.details['took_ms'] ?? Number.NaN))
  return {
    ...comparison,
    notes: [
      `${took_ms.toFixed(0)} ms at most, of ${took_ms_max}: ${verdictOf(took_ms <= took_ms_max)}`,
      ...notesBesideReads(comparison, aboveIdle_MiB_max),
    ],
  }
}
