import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '../../cli/store.js'
import { appendCommands } from '../../test/support/append-commands.js'
import { call, createGuild, getGuild, register, type Person } from '../../test/support/load-api.js'
import type { ProductProcess } from '../../test/support/product-process.js'
import { layListings } from '../directory/lay-listings.js'
import type { LineSettings } from '../support/line.js'
import { residentMiB, watchMemory } from '../support/memory.js'
import { compare, quantile, type Comparison, type Sample } from '../support/rounds.js'
import { timesOf } from '../support/timed.js'
import { withProductAndStore } from '../support/with-product-and-store.js'

const listings_count = 10_000
const took_ms_max = 1000
const aboveIdle_MiB_max = 96
const slower_max = 2
const idle_ms = 2000

/**
 * List discovery listings with 10,000 approved, beside a bare statement that reads their rows. Meanwhile a member reads its guild, one
 * request after another.
 */
export function directoryListLine({ rounds }: LineSettings): Promise<Comparison> {
  return withProductAndStore(async (product, store) => {
    const root = await call(product.url, register('root'))
    await appendCommands(store.events, root, [{ type: 'SetAcls', acls: ['*'] }])
    const { id } = await call(product.url, createGuild(root, 'Home'))
    await layListings(store.database.pool, listings_count)
    const comparison = await compare({
      line: `list of ${listings_count.toLocaleString('en')} listings`,
      unit: 'listings/s',
      rounds,
      baseline: () => bare(store),
      product: () => listed(product, root, id),
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

async function listed({ url, pid }: ProductProcess, root: Person, guild: string): Promise<Sample> {
  const read = () => call(url, getGuild(root, guild))
  const idle = await timesOf(read, pause(idle_ms))
  const idle_MiB = residentMiB(pid)
  const memory = watchMemory(pid)
  const began = performance.now()
  let took_ms = 0
  let count = 0
  const times = await timesOf(
    read,
    listings(url, root).then((all) => {
      took_ms = performance.now() - began
      count = all
    }),
  )
  const { details, ...sample } = sampleOf(count, took_ms)
  const [idle_p99_ms, p99_ms] = [quantile(idle, 0.99), quantile(times, 0.99)]
  return { ...sample, details: { ...details, aboveIdle_MiB: memory() - idle_MiB, idle_p99_ms, p99_ms } }
}

async function listings(url: string, { token }: Person): Promise<number> {
  const answer = await fetch(`${url}/v1/admin/discovery/listings`, { headers: { authorization: token } })
  if (!answer.ok) throw new Error(`List discovery listings answered ${answer.status}`)
  const all: unknown = await answer.json()
  if (!Array.isArray(all)) throw new Error('List discovery listings answered no array')
  return all.length
}

function sampleOf(count: number, took_ms: number): Sample {
  if (count < listings_count) throw new Error(`Only ${count} listings were read`)
  return { rate: (count * 1000) / took_ms, cores: {}, details: { took_ms } }
}

function withBounds(comparison: Comparison): Comparison {
  const details = comparison.samples.map(({ product }) => product.details)
  const most = (name: string): number => Math.max(...details.map((each) => each[name] ?? Number.NaN))
  const slower = Math.max(...details.map((each) => (each['p99_ms'] ?? 0) / (each['idle_p99_ms'] ?? 1)))
  const verdict = (reached: boolean): string => (reached ? 'reached' : 'short')
  const [took_ms, above] = [most('took_ms'), most('aboveIdle_MiB')]
  return {
    ...comparison,
    notes: [
      `${took_ms.toFixed(0)} ms at most, of ${took_ms_max}: ${verdict(took_ms <= took_ms_max)}`,
      `${above.toFixed(0)} MiB above idle, at most ${aboveIdle_MiB_max}: ${verdict(above <= aboveIdle_MiB_max)}`,
      `p99 of Get guild ${slower.toFixed(1)} times that of an idle server, at most ${slower_max}: ${verdict(slower <= slower_max)}`,
    ],
  }
}
