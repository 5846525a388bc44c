import { z } from 'zod'
import type { Store } from '../../process/store.ts'
import { appendCommands } from '../../test/support/append-commands.ts'
import { call, register, type Person } from '../../test/support/load-api.ts'
import type { ProductProcess } from '../../test/support/product-process.ts'
import { layListings } from '../directory/lay-listings.ts'
import type { ListJob } from '../directory/list-reader.ts'
import { besideReads, notesBesideReads } from '../support/beside-reads.ts'
import { forkChild, type Child } from '../support/child.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, verdictOf, type Comparison, type Sample } from '../support/rounds.ts'
import { withProductAndStore } from '../support/with-product-and-store.ts'

const listings_count = 10_000
const took_ms_max = 1000
const aboveIdle_MiB_max = 96
/** One list is too short to tell how others are served meanwhile. */
const lists_count = 20
const answer_ms_max = 60_000

/**
 * List discovery listings with 10,000 approved, beside a bare statement that reads their rows. Meanwhile a member reads its guild, one
 * request after another.
 */
export function directoryListLine({ rounds }: LineSettings): Promise<Comparison> {
  return withProductAndStore(async (product, store) => {
    const root = await call(product.url, register('root'))
    await appendCommands(store.events, root, [{ type: 'SetAcls', acls: ['*'] }])
    await layListings(store.database.pool, listings_count)
    const reader = forkChild(new URL('../directory/list-reader.js', import.meta.url))
    try {
      await read(reader, product, root, 1)
      const comparison = await compare({
        line: `list of ${listings_count.toLocaleString('en')} listings`,
        unit: 'listings/s',
        rounds,
        baseline: () => bare(store),
        product: () => listed(reader, product, root),
      })
      return withBounds(comparison)
    } finally {
      await reader.end()
    }
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

/** Lists in another process, beside reads of this one. */
async function listed(reader: Child, product: ProductProcess, root: Person): Promise<Sample> {
  let list = { took_ms: 0, count: 0 }
  const cost = await besideReads(product, root, async () => {
    list = await read(reader, product, root, lists_count)
  })
  const { details, ...sample } = sampleOf(list.count, list.took_ms)
  return { ...sample, details: { ...cost, ...details } }
}

const listRead = z.object({ took_ms: z.number(), count: z.int() })

async function read(
  reader: Child,
  { url }: ProductProcess,
  { token }: Person,
  times: number,
): Promise<z.output<typeof listRead>> {
  const asked: ListJob = { url: `${url}/v1/admin/discovery/listings`, token, times, member: 'approved_at' }
  return listRead.parse(await reader.ask(asked, answer_ms_max))
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
