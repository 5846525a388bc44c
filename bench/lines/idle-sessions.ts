import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findRunningPostgres } from '../../adapters/postgres/embedded/start.ts'
import { call, createGuild, register } from '../../test/support/load-api.ts'
import { startProduct, type ProductProcess } from '../../test/support/product-process.ts'
import { gatewayScript, listenBare, open_ms_max } from '../gateway/children.ts'
import { layPeople } from '../gateway/lay-people.ts'
import { gatewayPath } from '../gateway/ready-session.ts'
import type { Child } from '../support/child.ts'
import { memory, type Memory } from '../support/collected-memory.ts'
import type { LineSettings } from '../support/line.ts'
import { openPool } from '../support/pool.ts'
import { compare, type Comparison, type Sample } from '../support/rounds.ts'
import { scratch } from '../support/scratch.ts'
import { portOf } from './http-site.ts'

const sessions_count = 10_000
/** Opened before, so that what every process needs once counts for nobody. */
const first_count = 2000
const guilds_count = 100
const guildsOfEach_count = 10
const members_count = 100_000
const settle_ms = 3000
/** Less than READY of ten guilds. */
const ready = Buffer.from(JSON.stringify({ t: 'READY', d: ' '.repeat(16 * 1024) }))
/** At most three times the memory of a bare socket. */
const target = 1 / 3

/**
 * The memory of an idle session, beside a bare socket of `ws` that was sent one message and has sent one, as a session has Identify
 * and READY: resident, after the garbage was collected, by the growth of the process from the 2000th to the 10,000th. Each session is
 * of an account of its own, in ten guilds, one of which has 100,000 members. A bare socket that was never used takes half as much.
 */
export async function idleSessionsLine({ rounds }: LineSettings): Promise<Comparison> {
  const compared = await compare({
    line: 'idle-sessions',
    unit: 'sessions/MiB',
    target,
    // The memory of a process hardly varies.
    rounds: Math.min(rounds, 1),
    baseline: bareSockets,
    product: idleSessions,
  })
  const [sample] = compared.samples
  const shown = [sample?.product, sample?.baseline].map((side) => {
    const { rss_kB = Number.NaN, heap_kB = Number.NaN } = side?.details ?? {}
    return `${rss_kB.toFixed(1)} kB resident, ${heap_kB.toFixed(1)} kB of it on the heap`
  })
  return { ...compared, notes: [`a session: ${shown.join('; a bare socket: ')}`] }
}

async function bareSockets(): Promise<Sample> {
  const [server, load] = [gatewayScript('bare-gateway'), gatewayScript('session-load')]
  try {
    const port = await listenBare(server, { onMessage: [ready] })
    const measure = async (): Promise<Memory> => memory.parse(await server.ask({ memory: true }, open_ms_max))
    const open = (count: number): Promise<unknown> => opened(load, port, '/', Array<null>(count).fill(null))
    return await growth(measure, open)
  } finally {
    await Promise.all([server.end(), load.end()])
  }
}

async function idleSessions(): Promise<Sample> {
  const place = scratch()
  const closing: (() => Promise<unknown>)[] = [async () => place.remove()]
  try {
    const file = path.join(place.folder, 'memory.json')
    const probe = new URL('../support/memory-probe.js', import.meta.url)
    const environment = { BENCH_MEMORY_FILE: file, NODE_OPTIONS: `--import=${probe.href}` }
    const product = await startProduct({ dataDir: place.folder, environment })
    closing.push(() => product.stop())
    const tokens = [...(await crowdOf(product, closing))]
    const load = gatewayScript('session-load')
    closing.push(() => load.end())
    const open = (count: number): Promise<unknown> =>
      opened(load, portOf(product.url), gatewayPath, tokens.splice(0, count))
    return await growth(() => memoryOf(product, file), open)
  } finally {
    for (const step of closing.toReversed()) await step()
  }
}

async function crowdOf(product: ProductProcess, closing: (() => Promise<unknown>)[]): Promise<readonly string[]> {
  const owner = await call(product.url, register('owner'))
  const guilds: string[] = []
  for (let count = 0; count < guilds_count; count += 1)
    guilds.push((await call(product.url, createGuild(owner, `Guild ${count}`))).id)
  const connection = await findRunningPostgres(path.join(product.dataDir, 'postgres'))
  if (!connection) throw new Error('The Postgres of the product is not to be found')
  const pool = openPool(connection, 1)
  closing.push(() => pool.end())
  const others_count = members_count - sessions_count
  const laid = { people_count: sessions_count, guilds, guildsOfEach_count, others_count }
  return (await layPeople(pool, laid)).tokens
}

async function memoryOf(product: ProductProcess, file: string): Promise<Memory> {
  rmSync(file, { force: true })
  product.signal('SIGUSR2')
  while (!existsSync(file)) await sleep(20)
  return memory.parse(JSON.parse(readFileSync(file, 'utf8')))
}

function opened(load: Child, port: number, where: string, tokens: readonly (string | null)[]): Promise<unknown> {
  return load.ask({ open: { port, path: where, tokens, dispatch: 'NONE', greet: true } }, open_ms_max)
}

/** Opens the first sessions, then the others, and compares. */
async function growth(measure: () => Promise<Memory>, open: (count: number) => Promise<unknown>): Promise<Sample> {
  await open(first_count)
  await sleep(settle_ms)
  const before = await measure()
  await open(sessions_count - first_count)
  await sleep(settle_ms)
  const after = await measure()
  const each_kB = (one: number, other: number): number => (other - one) / (sessions_count - first_count) / 1024
  const rss_kB = each_kB(before.rss_bytes, after.rss_bytes)
  return { rate: 1024 / rss_kB, cores: {}, details: { rss_kB, heap_kB: each_kB(before.heap_bytes, after.heap_bytes) } }
}
