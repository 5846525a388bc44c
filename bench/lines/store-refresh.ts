import { z } from 'zod'
import { jobQueue } from '../../adapters/jobs/job-queue.ts'
import { openDatabase } from '../../adapters/postgres/database.ts'
import { managersJobsAtOnce } from '../../process/process-managers.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, verdictOf, type Comparison, type Sample } from '../support/rounds.ts'
import { openStoreSite, type StoreSite } from '../stores/store-site.ts'
import { layPurchases } from '../stores/lay-purchases.ts'

const purchases_count = 10_000
const turn_count = 200
const answer_ms = 200
const turn_s_max = 20
/** As many as the worker has at work at once. */
const asked_atOnce = managersJobsAtOnce
const look_ms = 25

const waiting = z.object({ count: z.int() })

/**
 * One turn of due purchases, of 10,000: 200 are read again from a store that takes 200 ms to answer, beside as many bare requests to
 * it, as many at a time. The queue of due purchases ends in one `read_purchase` job for each, which is what `turnOf` puts there.
 */
export async function storeRefreshLine({ rounds }: LineSettings): Promise<Comparison> {
  const site = await openStoreSite(1)
  const connection = site.connection
  const database = openDatabase(connection, { connections_max: 2 })
  try {
    const purchases = await layPurchases(site, purchases_count)
    site.storeA.fault = { late_ms: answer_ms }
    const jobs = jobQueue(database)
    let next = 0
    const turnOf = async (): Promise<void> => {
      const turn = purchases.slice(next, next + turn_count)
      next = (next + turn_count) % purchases_count
      for (const purchase of turn) await jobs.add('read_purchase', { purchase }, { key: `purchase ${purchase}` })
      await done(site)
    }
    const compared = await compare({
      line: 'store refresh',
      unit: 'purchases/s',
      rounds,
      baseline: () => timedTurn(() => bareTurn(site)),
      product: () => timedTurn(turnOf),
    })
    const turn_s = Math.max(...compared.samples.map(({ product }) => product.details['turn_s'] ?? Number.NaN))
    const verdict = verdictOf(turn_s <= turn_s_max)
    const note = `the longest turn of ${turn_count} took ${turn_s.toFixed(1)} s; at most ${turn_s_max}: ${verdict}`
    return { ...compared, notes: [note] }
  } finally {
    await database.close()
    await site.close()
  }
}

async function timedTurn(turn: () => Promise<void>): Promise<Sample> {
  const began = performance.now()
  await turn()
  const turn_s = (performance.now() - began) / 1000
  return { rate: turn_count / turn_s, cores: {}, details: { turn_s } }
}

/** The double refuses requests without a token, after the same time. */
async function bareTurn({ storeA }: StoreSite): Promise<void> {
  let asked = 0
  const one = async (): Promise<void> => {
    while (asked++ < turn_count) await (await fetch(`${storeA.url}/production/inApps/v1/subscriptions/1`)).text()
  }
  await Promise.all(Array.from({ length: asked_atOnce }, one))
}

async function done({ pool }: StoreSite): Promise<void> {
  for (;;) {
    const { rows } = await pool.query(
      `select count(*)::int as count from job_queue.jobs where task_identifier = 'read_purchase'`,
    )
    if (waiting.parse(rows[0]).count === 0) return
    await new Promise((resolve) => setTimeout(resolve, look_ms))
  }
}
