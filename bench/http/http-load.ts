import { z } from 'zod'
import { answerParent } from '../support/child.ts'
import { quantile } from '../support/rounds.ts'
import { openConnection } from './raw-connection.ts'
import { rawRequest } from './raw-request.ts'

/** Sends requests as fast as a server answers, over a number of connections with one request in flight each. */
const job = z.object({
  port: z.int(),
  connections: z.int().min(1).max(4096),
  seconds: z.number().positive().max(120),
  /** Whether each request is sent at most once: then the load ends with the last of them. */
  once: z.boolean().optional(),
  /** Sent in turn, over and over. */
  requests: z
    .array(
      z.object({ method: z.string(), path: z.string(), token: z.string().optional(), body: z.string().optional() }),
    )
    .min(1),
})

export type LoadJob = z.output<typeof job>

const latencies_max = 4_000_000

answerParent(async (asked) => {
  const { port, connections, seconds, requests, once = false } = job.parse(asked)
  const bytes = requests.map((request) => rawRequest(port, request))
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(port)))
  // Node accepts one new connection in each turn of its event loop. That time is not measured here.
  await Promise.all(open.map((connection, index) => connection.ask(bytes[index % bytes.length] ?? Buffer.alloc(0))))
  const latencies = new Float64Array(latencies_max)
  const goodLatencies: number[] = []
  const statuses = new Map<number, number>()
  let count = 0
  let next = 0
  const began = performance.now()
  const deadline = began + seconds * 1000
  const usage = process.cpuUsage()

  async function run(connection: (typeof open)[number]): Promise<void> {
    for (let now = began; now < deadline && count < latencies_max && !(once && next >= bytes.length);) {
      const sent = performance.now()
      const status = await connection.ask(bytes[next++ % bytes.length] ?? Buffer.alloc(0))
      now = performance.now()
      latencies[count++] = now - sent
      if (isSuccess(status)) goodLatencies.push(now - sent)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }

  await Promise.all(open.map(run))
  const elapsed = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(usage)
  for (const connection of open) connection.close()
  const sorted = latencies.subarray(0, count).sort()
  const good = goodLatencies.toSorted((a, b) => a - b)
  return {
    count,
    failed: [...statuses].reduce((sum, [status, times]) => sum + (isSuccess(status) ? 0 : times), 0),
    statuses: Object.fromEntries(statuses),
    perSecond: count / elapsed,
    p50_ms: quantile(sorted, 0.5),
    p99_ms: quantile(sorted, 0.99),
    /** Successes only: the useful work when some requests are refused. */
    good: { perSecond: good.length / elapsed, p50_ms: quantile(good, 0.5), p99_ms: quantile(good, 0.99) },
    cores: (user + system) / 1e6 / elapsed,
  }
})

const isSuccess = (status: number): boolean => status >= 200 && status < 300
