import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { appendCommands } from '../../test/support/append-commands.ts'
import { call, register } from '../../test/support/load-api.ts'
import type { ProductProcess } from '../../test/support/product-process.ts'
import { laySettingsChanges, type LaidChanges } from '../events/lay-settings-changes.ts'
import { measureCores } from '../support/cpu.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, verdictOf, type Comparison } from '../support/rounds.ts'
import { timed, timeOf } from '../support/timed.ts'
import { withProductAndStore } from '../support/with-product-and-store.ts'

const long_count = 10_000
const laidPerSecond_min = 200
const readers_count = 10

/** A question, the statement that reads as much, and how many milliseconds half of the answers may take. */
interface Question {
  readonly name: string
  readonly path: string
  readonly bare: string
  readonly values: readonly unknown[]
  readonly p50_ms_max: number
}

/**
 * What is asked of history among many events, one request at a time, each beside the bare statement for the events that the answer
 * needs. The last has a note of what readers of live events cost while nothing happens.
 */
export function historyEventsLine({ rounds, seconds, events }: LineSettings): Promise<readonly Comparison[]> {
  return withProductAndStore(async (product, store) => {
    const { pool } = store.database
    const reader = await call(product.url, register('reader'))
    const laid = await laySettingsChanges(pool, long_count, events)
    await appendCommands(store.events, reader, [{ type: 'SetAcls', acls: ['admin:authenticate', 'audit_log:view'] }])
    await indexed(pool, events)
    const comparisons: Comparison[] = []
    for (const { name, path, bare, values, p50_ms_max } of questionsOf(laid)) {
      const compared = await compare({
        line: `history: ${name}, ${events.toLocaleString('en')} other events`,
        unit: '1/s (by p50)',
        rounds,
        baseline: () => timed(seconds, async () => void (await pool.query(bare, [...values]))),
        product: () => timed(seconds, () => answered(`${product.url}/v1/admin/history${path}`, reader.token)),
      })
      const p50_ms = timeOf(compared, 'product', 'p50_ms')
      const bare_ms = timeOf(compared, 'baseline', 'p50_ms')
      const verdict = verdictOf(p50_ms <= p50_ms_max)
      const note = `p50 ${p50_ms.toFixed(1)} ms, bare ${bare_ms.toFixed(1)} ms; at most ${p50_ms_max} ms: ${verdict}`
      comparisons.push({ ...compared, notes: [note] })
    }
    const idle = await idleReaders(product, reader.token, seconds)
    return comparisons.map((one, index) =>
      index === comparisons.length - 1 ? { ...one, notes: [...(one.notes ?? []), idle] } : one,
    )
  })
}

function questionsOf({ long, halfway, actor, request }: LaidChanges): readonly Question[] {
  const read =
    'select e.stream, e.revision, e.position, e.event_id, e.type, e.data, e.metadata from event_store.events e'
  return [
    {
      name: `the state of a stream of ${long_count.toLocaleString('en')} events at a moment`,
      path: `/streams/${long}?at=${halfway}`,
      bare: `${read} where stream = $1 and revision <= $2 order by revision`,
      values: [long, long_count / 2],
      p50_ms_max: 50,
    },
    {
      name: 'what a request did',
      path: `/explain/${request}`,
      bare: `${read} join history.events h using (position) where h.correlation_id = $1 order by position`,
      values: [request],
      p50_ms_max: 100,
    },
    {
      name: 'the newest events of an actor',
      path: `/events?actor=${actor}&limit=50`,
      bare: `${read} join history.events h using (position) where h.actor = $1 order by position desc limit 50`,
      values: [actor],
      p50_ms_max: 100,
    },
  ]
}

/** Waits until the index has all that was laid. */
async function indexed(pool: pg.Pool, events_count: number): Promise<void> {
  const deadline = performance.now() + 60_000 + (events_count / laidPerSecond_min) * 1000
  for (;;) {
    const { rows } = await pool.query<{ readonly isThere: boolean }>(
      `select coalesce((select max(position) from history.events) >= (select max(position) from event_store.events), false) as "isThere"`,
    )
    if (rows[0]?.isThere) break
    if (performance.now() > deadline) throw new Error('The events were not indexed in time')
    await pause(500)
  }
  await pool.query('vacuum analyze history.events')
}

async function answered(url: string, token: string): Promise<void> {
  const answer = await fetch(url, { headers: { authorization: token } })
  const body = await answer.text()
  if (answer.status !== 200) throw new Error(`${url} was answered with ${answer.status} ${body.slice(0, 200)}`)
}

/** The processor time of the product without readers of live events, and with some to whom nothing is told. */
async function idleReaders({ url, pid }: ProductProcess, token: string, seconds: number): Promise<string> {
  const milliseconds = async (): Promise<number> => {
    const measured = measureCores({ product: () => [pid] })
    await pause(seconds * 1000)
    return (measured()['product'] ?? Number.NaN) * 1000
  }
  const without = await milliseconds()
  const ending = new AbortController()
  const path = `${url}/v1/admin/history/events/stream`
  const opened = await Promise.all(
    Array.from({ length: readers_count }, () =>
      fetch(path, { headers: { authorization: token }, signal: ending.signal }),
    ),
  )
  if (opened.some(({ status }) => status !== 200)) throw new Error('A reader of live events was refused')
  const within = await milliseconds()
  ending.abort()
  return `${readers_count} idle readers of live events: ${within.toFixed(1)} ms of the processor in a second, ${without.toFixed(1)} without them`
}
