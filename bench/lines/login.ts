import { call, register, type Person } from '../../test/support/load-api.ts'
import { startProduct, type ProductProcess } from '../../test/support/product-process.ts'
import { openConnection, type RawConnection } from '../http/raw-connection.ts'
import { rawRequest } from '../http/raw-request.ts'
import { measureCores } from '../support/cpu.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, comparisonOf, quantile, type Comparison, type Sample } from '../support/rounds.ts'
import { scratch } from '../support/scratch.ts'
import { portOf } from './http-site.ts'

const people_count = 8
/** Parallel logins while others send requests. */
const burst_connections = 64
/** The interval of another user's reads: so few that they measure the wait and not the load. */
const readEvery_ms = 5
const reading_connections = 16
const wrongPassword = 'a wrong password'

/**
 * How a burst of logins affects others: the p99 of a read during the burst, beside that of an idle server. Also whether timing
 * reveals that an address exists: a failed login and a forgotten password, for existing and unknown addresses, one request at a
 * time, in turn.
 */
export async function loginLine(settings: LineSettings): Promise<readonly Comparison[]> {
  const place = scratch()
  const product = await startProduct({ dataDir: place.folder }).catch((error: unknown) => {
    place.remove()
    throw error
  })
  try {
    const people: Person[] = []
    for (let index = 0; index < people_count; index += 1)
      people.push(await call(product.url, register(`bench${index}`)))
    return [
      await othersBesideLogins(product, people, settings),
      await existence(product, settings, 'login, unknown address', (email) => ({
        path: '/v1/auth/login',
        body: { email, password: wrongPassword },
      })),
      await existence(product, settings, 'forgot, unknown address', (email) => ({
        path: '/v1/auth/forgot',
        body: { email },
      })),
    ]
  } finally {
    await product.stop().finally(() => place.remove())
  }
}

async function othersBesideLogins(
  product: ProductProcess,
  people: readonly Person[],
  { seconds, rounds }: LineSettings,
): Promise<Comparison> {
  const port = portOf(product.url)
  const reads = people.map(({ token }) => rawRequest(port, { method: 'GET', path: '/v1/users/@me', token }))
  // New connections each time: the server closes connections that are idle for long, as these are while the other side is
  // measured.
  const idle = () =>
    withConnections(port, reading_connections, (reading) => sampled(product, () => readsOf(reading, reads, seconds)))
  const burst = () =>
    withConnections(port, reading_connections, (reading) =>
      withConnections(port, burst_connections, (logging) =>
        sampled(product, async () => {
          const until = performance.now() + seconds * 1000
          const logins = Promise.all(
            logging.map((connection, index) => logInUntil(connection, loginOf(port, index), until)),
          )
          const [{ latencies }, counts] = await Promise.all([readsOf(reading, reads, seconds), logins])
          return { latencies, logins: counts.reduce((sum, count) => sum + count, 0) / seconds }
        }),
      ),
    )
  await idle()
  const compared = await compare({
    line: 'read beside logins',
    unit: '1/s of p99',
    target: 1 / 3,
    rounds,
    baseline: idle,
    product: burst,
  })
  const last = compared.samples.at(-1)
  return {
    ...compared,
    notes: [
      `${burst_connections} logins wait at once, ${Math.round(last?.product.details['logins'] ?? 0)} a second are answered`,
      `p99 of a read: ${ms(last?.baseline)} idle, ${ms(last?.product)} beside them (last round)`,
    ],
  }
}

interface Measured {
  /** In milliseconds. */
  readonly latencies: readonly number[]
  readonly logins?: number
}

async function sampled(product: ProductProcess, measure: () => Promise<Measured>): Promise<Sample> {
  const cores = measureCores({ server: () => [product.pid], load: () => [process.pid] })
  const { latencies, logins = 0 } = await measure()
  const sorted = latencies.toSorted((a, b) => a - b)
  const p99_ms = quantile(sorted, 0.99)
  return { rate: 1000 / p99_ms, cores: cores(), details: { p50_ms: quantile(sorted, 0.5), p99_ms, logins } }
}

/** Reads at an even pace, whether or not earlier reads are answered. Each latency counts from when the read was due. */
async function readsOf(idle: readonly RawConnection[], reads: readonly Buffer[], seconds: number): Promise<Measured> {
  const free = [...idle]
  const due: number[] = []
  const latencies: number[] = []
  const pending = new Set<Promise<void>>()
  const began = performance.now()
  const count = Math.floor((seconds * 1000) / readEvery_ms)
  const next = async (connection: RawConnection, at: number, read: Buffer): Promise<void> => {
    const status = await connection.ask(read)
    latencies.push(performance.now() - at)
    if (status !== 200) throw new Error(`A read was answered with ${status}`)
    const waiting = due.shift()
    if (waiting === undefined) free.push(connection)
    else await next(connection, waiting, read)
  }
  let failure: unknown
  for (let index = 0; index < count && failure === undefined; index += 1) {
    const at = began + index * readEvery_ms
    await untilTime(at)
    const connection = free.pop()
    const read = reads[index % reads.length] ?? Buffer.alloc(0)
    if (!connection) due.push(at)
    else {
      const asked = next(connection, at, read)
      pending.add(asked)
      void asked.catch((error: unknown) => (failure ??= error)).finally(() => pending.delete(asked))
    }
  }
  await Promise.allSettled(pending)
  if (failure !== undefined) throw new Error('A read failed', { cause: failure })
  return { latencies }
}

async function logInUntil(connection: RawConnection, login: Buffer, until: number): Promise<number> {
  let count = 0
  while (performance.now() < until) {
    await connection.ask(login)
    count += 1
  }
  return count
}

function loginOf(port: number, index: number): Buffer {
  const body = JSON.stringify({ email: `bench${index % people_count}@example.com`, password: wrongPassword })
  return rawRequest(port, { method: 'POST', path: '/v1/auth/login', body })
}

type Asking = (email: string) => { readonly path: string; readonly body: object }

/** The same request for unknown addresses (product) and existing ones (baseline). */
async function existence(
  product: ProductProcess,
  { seconds, rounds }: LineSettings,
  line: string,
  asking: Asking,
): Promise<Comparison> {
  const port = portOf(product.url)
  const connection = await openConnection(port)
  const requestTo = (email: string): Buffer => {
    const { path, body } = asking(email)
    return rawRequest(port, { method: 'POST', path, body: JSON.stringify(body) })
  }
  const pairs = Array.from({ length: people_count }, (_none, index) => ({
    known: requestTo(`bench${index}@example.com`),
    unknown: requestTo(`nobody${index}@example.com`),
  }))
  const samples: { product: Sample; baseline: Sample }[] = []
  const all = { known: [] as number[], unknown: [] as number[] }
  for (let round = 0; round <= rounds; round += 1) {
    const { known, unknown } = await timesInTurn(connection, pairs, seconds)
    // The first round warms up.
    if (round === 0) continue
    samples.push({ product: sampleOf(unknown), baseline: sampleOf(known) })
    all.known.push(...known)
    all.unknown.push(...unknown)
  }
  connection.close()
  return {
    ...comparisonOf({ line, unit: '1/s one by one', target: undefined }, samples),
    notes: [distribution('somebody’s', all.known), distribution('nobody’s', all.unknown)],
  }
}

interface Pair<Each> {
  readonly known: Each
  readonly unknown: Each
}

/** The duration of each, in milliseconds, one after another. */
async function timesInTurn(
  connection: RawConnection,
  pairs: readonly Pair<Buffer>[],
  seconds: number,
): Promise<Pair<readonly number[]>> {
  const times = { known: [] as number[], unknown: [] as number[] }
  const timed = async (request: Buffer): Promise<number> => {
    const sent = performance.now()
    await connection.ask(request)
    return performance.now() - sent
  }
  const until = performance.now() + seconds * 1000
  while (performance.now() < until)
    for (const { known, unknown } of pairs) {
      times.known.push(await timed(known))
      times.unknown.push(await timed(unknown))
    }
  return times
}

function sampleOf(latencies: readonly number[]): Sample {
  const p50_ms = quantile(
    latencies.toSorted((a, b) => a - b),
    0.5,
  )
  return { rate: 1000 / p50_ms, cores: {}, details: { p50_ms, count: latencies.length } }
}

/** A distribution in one line. */
function distribution(whose: string, latencies: readonly number[]): string {
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number): string => quantile(sorted, share).toFixed(2)
  const shares = [0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99]
  const list = shares.map((share) => `p${share * 100} ${at(share)}`).join(', ')
  return `an address of ${whose}: ${list} ms, of ${sorted.length}`
}

async function withConnections<Result>(
  port: number,
  count: number,
  use: (opened: readonly RawConnection[]) => Promise<Result>,
): Promise<Result> {
  const opened = await Promise.all(Array.from({ length: count }, () => openConnection(port)))
  try {
    return await use(opened)
  } finally {
    for (const connection of opened) connection.close()
  }
}

const untilTime = (at: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())))

const ms = (sample: Sample | undefined): string => `${(sample?.details['p99_ms'] ?? Number.NaN).toFixed(1)} ms`
