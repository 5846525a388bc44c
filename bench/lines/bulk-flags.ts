import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { z } from 'zod'
import type { Store } from '../../process/store.ts'
import { people } from '../../test/cli/support/happenings.ts'
import { account } from '../../test/projections/support/people.ts'
import { appendCommands } from '../../test/support/append-commands.ts'
import { call, register, type Person } from '../../test/support/load-api.ts'
import type { ProductProcess } from '../../test/support/product-process.ts'
import { measureCores } from '../support/cpu.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, spread, type Comparison, type Sample } from '../support/rounds.ts'
import { withProductAndStore } from '../support/with-product-and-store.ts'

const accounts_count = 1000
/** The longest that the job may take, from its request to its end. */
const target_s = 30
const job_ms_max = 120_000

const tables = `
  drop schema if exists bench cascade;
  create schema bench;
  create table bench.accounts (id int8 primary key, flags int8 not null);
  create table bench.events (position int8 generated always as identity primary key, data jsonb not null);
  insert into bench.accounts select n, 0 from generate_series(1, ${accounts_count}) n`

const queued = z.object({ job_id: z.string() })
const shown = z.object({
  job: z.object({ status: z.string(), result: z.object({ changed: z.int() }).nullable() }),
})

/** A bulk job that updates the flags of 1,000 accounts, beside as many bare transactions of the same writes. */
export function bulkFlagsLine(settings: LineSettings): Promise<Comparison> {
  return withProductAndStore((product, store) => measured(product, store, settings))
}

async function measured(product: ProductProcess, store: Store, { rounds }: LineSettings): Promise<Comparison> {
  const { pool } = store.database
  await pool.query(tables)
  const root = await call(product.url, register('root'))
  await appendCommands(store.events, root, [{ type: 'SetAcls', acls: ['*'] }])
  await people(store.events, accounts_count)
  let round = 0
  const sampled = async (work: () => Promise<void>): Promise<Sample> => {
    const cores = measureCores({ server: () => [product.pid], load: () => [process.pid] })
    const began = performance.now()
    await work()
    const seconds = (performance.now() - began) / 1000
    return { rate: accounts_count / seconds, cores: cores(), details: { seconds } }
  }
  const compared = await compare({
    line: 'bulk-flags',
    unit: 'accounts/s',
    rounds,
    baseline: () => sampled(() => updateBare(pool)),
    product: () => sampled(() => updateInBulk(product, root, (round += 1))),
  })
  const { max } = spread(compared.samples.map((sample) => sample.product.details['seconds'] ?? Number.NaN))
  return {
    ...compared,
    notes: [
      `baseline: ${accounts_count} transactions one after another, each with a changed row, an event and an entry`,
      `the job took ${max.toFixed(1)} s at most (at most ${target_s}), with an entry in the audit log for each account`,
    ],
  }
}

/** Each round sets another flag, so that each account changes. */
async function updateInBulk({ url }: ProductProcess, { token }: Person, round: number): Promise<void> {
  const ids = Array.from({ length: accounts_count }, (_none, index) => account(index + 1))
  const { job_id: id } = await call(url, {
    method: 'POST',
    path: '/v1/admin/bulk-jobs',
    token,
    body: { task: 'update_user_flags', user_ids: ids, add_flags: [String(2 ** (round + 30))] },
    parse: (answer) => queued.parse(answer),
  })
  const deadline = performance.now() + job_ms_max
  for (;;) {
    const parse = (answer: unknown) => shown.parse(answer).job
    const job = await call(url, { method: 'GET', path: `/v1/admin/jobs/${id}`, token, parse })
    if (job.status === 'succeeded' && job.result?.changed === accounts_count) return
    if (performance.now() > deadline) throw new Error(`The job is ${job.status} after ${job_ms_max / 1000} s`)
    await wait(100)
  }
}

async function updateBare(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    for (let id = 1; id <= accounts_count; id += 1) {
      await client.query('begin')
      await client.query('update bench.accounts set flags = flags + 1 where id = $1', [id])
      await client.query(
        `insert into bench.events (data) select jsonb_build_object('account', $1::int8) from generate_series(1, 2)`,
        [id],
      )
      await client.query('commit')
    }
  } finally {
    client.release()
  }
}
