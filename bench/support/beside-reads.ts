import { setTimeout as pause } from 'node:timers/promises'
import { call, createGuild, getGuild, type Person } from '../../test/support/load-api.ts'
import type { ProductProcess } from '../../test/support/product-process.ts'
import { residentMiB, watchMemory } from './memory.ts'
import { quantile, spread, verdictOf, type Comparison } from './rounds.ts'
import { timesOf } from './timed.ts'

const idle_ms = 4000
/** How much slower Get guild may become. */
const slower_max = 2

/** What a piece of work cost others. */
export interface BesideReads {
  readonly took_ms: number
  /** The most memory of the server meanwhile, above that before. */
  readonly aboveIdle_MiB: number
  /** Get guild before the work, and meanwhile. */
  readonly idle_p99_ms: number
  readonly p99_ms: number
}

/** Does some work while a member reads a guild of its own, one request after another. */
export async function besideReads(
  { url, pid }: ProductProcess,
  member: Person,
  work: () => Promise<void>,
): Promise<BesideReads & Readonly<Record<string, number>>> {
  const { id } = await call(url, createGuild(member, 'Home'))
  const read = () => call(url, getGuild(member, id))
  await timesOf(read, pause(idle_ms))
  const idle_p99_ms = quantile(await timesOf(read, pause(idle_ms)), 0.99)
  const idle_MiB = residentMiB(pid)
  const memory = watchMemory(pid)
  const began = performance.now()
  let took_ms = 0
  const times = await timesOf(
    read,
    work().finally(() => (took_ms = performance.now() - began)),
  )
  return { took_ms, aboveIdle_MiB: memory() - idle_MiB, idle_p99_ms, p99_ms: quantile(times, 0.99) }
}

/** The notes that hold what all rounds cost others against the bounds: MiB above idle, and Get guild slower by a factor of two. */
export function notesBesideReads({ samples }: Comparison, aboveIdle_MiB_max: number): readonly string[] {
  const details = samples.map(({ product }) => product.details)
  const above = Math.max(...details.map((each) => each['aboveIdle_MiB'] ?? Number.NaN))
  // As rates are: the median of the rounds. A p99 of a few hundred requests scatters.
  const slower = spread(details.map((each) => (each['p99_ms'] ?? Number.NaN) / (each['idle_p99_ms'] ?? Number.NaN)))
  return [
    `${above.toFixed(0)} MiB above idle, at most ${aboveIdle_MiB_max}: ${verdictOf(above <= aboveIdle_MiB_max)}`,
    `p99 of Get guild ${slower.median.toFixed(1)} times that of an idle server (${slower.min.toFixed(1)}-${slower.max.toFixed(1)}), at most ${slower_max}: ${verdictOf(slower.median <= slower_max)}`,
  ]
}
