import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { startEmbeddedPostgres } from '../../../adapters/postgres/embedded/start.ts'
import { forkChild } from '../../../bench/support/child.ts'
import { closingList } from '../../../process/closing-list.ts'
import { startDoubleProcess } from '../../support/eventstoredb-double/double-process.ts'
import { isLong, noteFault } from '../../support/fault-table.ts'
import { layPostgres } from '../../support/lay-postgres.ts'
import {
  call,
  createGuild,
  createInvite,
  currentUser,
  getGuild,
  register,
  send,
  type FoundedGuild,
  type Person,
} from '../../support/load-api.ts'
import { natsIsMissing, natsSuite, startNatsServer } from '../../support/nats-server.ts'
import { startProduct, type ProductProcess } from '../../support/product-process.ts'
import { watchOver, type Supervisor } from '../../support/supervisor.ts'
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'

/** How long 50 connections show what the process can serve, and how long too many overload it: longer than a look may take. */
const load_s = isLong ? { peak: 20, overload: 20 } : { peak: 1, overload: 2 }
/** How often readiness is asked for; the supervisor asks as often. */
const look_ms = 100
const wishes = { max_uses: 10, max_age: 86_400 }
/** The log lines that jobs and Gateway connections write about their connections, beside the two lines of an outage. */
const otherLines_max = 20

vi.setConfig({ testTimeout: isLong ? 600_000 : 300_000 })

describe.skipIf(natsIsMissing)(natsSuite('An outage, as a supervisor sees it'), () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'gh-supervised-'))
  const closings = closingList()
  const proxies = new Map<string, TcpProxy>()
  let product: ProductProcess
  let supervisor: Supervisor
  let owner: Person
  let guild: FoundedGuild

  const behindProxy = async (part: string, target: number | string): Promise<number> => {
    const proxy = await startTcpProxy({ target })
    closings.add(() => proxy.close())
    proxies.set(part, proxy)
    return proxy.port
  }
  const proxyOf = (part: string): TcpProxy => {
    const proxy = proxies.get(part)
    if (!proxy) throw new Error(`There is no proxy before ${part}`)
    return proxy
  }

  beforeAll(async () => {
    closings.add(async () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
    // Every user may enter the folder, since Postgres never runs as root.
    chmodSync(folder, 0o755)
    const settings = { max_connections: '200', fsync: 'off' }
    await layPostgres(path.join(folder, 'postgres'))
    const [postgres, nats, double] = await Promise.all([
      startEmbeddedPostgres({ folder: path.join(folder, 'postgres'), settings }),
      startNatsServer(),
      startDoubleProcess(),
    ])
    for (const server of [postgres, nats, double]) closings.add(() => server.stop())
    const { host, port, user, database } = postgres.connection
    const postgresPort = await behindProxy('postgres', path.join(host, `.s.PGSQL.${port}`))
    const natsPort = await behindProxy('nats', Number(new URL(nats.url).port))
    const storePort = await behindProxy('event store', Number(new URL(double.url).port))
    product = await startProduct({
      dataDir: path.join(folder, 'data'),
      environment: {
        DATABASE_URL: `postgres://${user}@127.0.0.1:${postgresPort}/${database}`,
        NATS_URL: `nats://127.0.0.1:${natsPort}`,
        EVENTSTORE_URL: `esdb://127.0.0.1:${storePort}?tls=false`,
      },
    })
    closings.add(async () => void (await product.kill()))
    owner = await call(product.url, register('ada'))
    const { id } = await call(product.url, createGuild(owner, 'The Analytical Engine'))
    guild = await call(product.url, getGuild(owner, id))
    supervisor = watchOver(product.statusUrl)
    closings.add(() => supervisor.stop())
  })
  afterAll(() => closings.close())

  const told = (message: string, part: string): number =>
    product.lines.filter((line) => line.includes(`"${message}"`) && line.includes(`"part":"${part}"`)).length
  const isWell = async (): Promise<boolean> => {
    const { ready, without } = await supervisor.ready()
    return ready && without.length === 0
  }

  const everyOutage = [
    ['F43', 'postgres', 'away', (proxy: TcpProxy) => proxy.refuse()],
    ['F43a', 'postgres', 'hung', (proxy: TcpProxy) => proxy.stall()],
    ['F43b', 'nats', 'away', (proxy: TcpProxy) => proxy.refuse()],
    ['F43c', 'nats', 'hung', (proxy: TcpProxy) => proxy.stall()],
    ['F43d', 'event store', 'away', (proxy: TcpProxy) => proxy.refuse()],
    ['F43e', 'event store', 'hung', (proxy: TcpProxy) => proxy.stall()],
  ] as const
  // A server that is down is noticed sooner than one that hangs; otherwise both behave alike.
  const outages = everyOutage.filter(([, part, how]) => isLong || (how === 'hung' && part !== 'nats'))

  it.each(outages)('%s: %s %s', async (row, part, how, begin) => {
    await expect.poll(isWell, { interval: look_ms }).toBe(true)
    await expect.poll(() => told('an outage begins', part)).toBe(told('an outage is over', part))
    supervisor.forget()
    const linesBefore = product.lines.length
    const begins = told('an outage begins', part)
    const began = performance.now()
    begin(proxyOf(part))
    const requests = Array.from({ length: 60 }, (_none, index) =>
      send(
        product.url,
        index % 2 === 0
          ? currentUser(owner)
          : createInvite(owner, guild.textChannel, { ...wishes, max_age: 600 + index }),
      ),
    )
    await expect
      .poll(
        async () => {
          const { ready, missing, without } = await supervisor.ready()
          return part === 'nats' ? ready && without.includes(part) : !ready && missing.includes(part)
        },
        { interval: look_ms },
      )
      .toBe(true)
    const seen_s = (performance.now() - began) / 1000
    const metrics = await fetch(`${product.statusUrl}/_metrics`)
    expect([metrics.status, (await metrics.text()).includes(`guildhall_outage{part="${part}"} 1`)]).toEqual([200, true])
    const answers = await Promise.all(requests)
    proxyOf(part).goOn()
    await expect.poll(isWell, { interval: look_ms }).toBe(true)
    await expect.poll(() => told('an outage is over', part)).toBe(begins + 1)
    const { kills, health, slowestHealth_ms, missing } = supervisor.seen
    const refused = answers.filter(({ status }) => status >= 500).length
    const lines = product.lines.slice(linesBefore).filter((line) => /"level":"(?:warn|error)"/.test(line))
    noteFault(row, {
      title: `${part} ${how}, as a supervisor sees it`,
      runs: 1,
      lost: kills,
      repeated: 0,
      reordered: 0,
      divergent: 0,
      stuck_s: slowestHealth_ms / 1000,
      note: `named after ${seen_s.toFixed(1)} s, ${refused} requests refused, ${lines.length} lines`,
    })
    expect(kills).toBe(0)
    expect([...health.keys()]).toEqual([200])
    if (part === 'nats') expect([...missing.keys()]).toEqual([])
    else expect([...missing.keys()]).toContain(part)
    expect(told('an outage begins', part)).toBe(begins + 1)
    expect(lines.slice(otherLines_max)).toEqual([])
    expect(new Set(answers.map(({ status }) => status)).has(500)).toBe(false)
  })

  const loadResult = z.object({
    count: z.int(),
    statuses: z.record(z.string(), z.int()),
    good: z.object({ perSecond: z.number() }),
  })

  async function underLoad(connections: number, seconds: number) {
    const load = forkChild(new URL('../../../dist/bench/http/http-load.js', import.meta.url))
    try {
      const read = { method: 'GET', path: `/v1/guilds/${guild.id}`, token: owner.token }
      const { method, path: at, body } = createInvite(owner, guild.textChannel, wishes)
      const write = { method, path: at, token: owner.token, body: JSON.stringify(body) }
      const job = {
        port: Number(new URL(product.url).port),
        connections,
        seconds,
        requests: [read, read, write],
      }
      return loadResult.parse(await load.ask(job, 120_000 + seconds * 1000))
    } finally {
      await load.end()
    }
  }

  const sizes: readonly (readonly [string, number])[] = [['F38', 1500], ...(isLong ? [['F38a', 500] as const] : [])]
  it.each(sizes)('%s: overload of %i connections, with limits off', async (row, connections) => {
    await expect.poll(isWell, { interval: look_ms }).toBe(true)
    const peak = await underLoad(50, load_s.peak)
    supervisor.forget()
    const { statuses, good } = await underLoad(connections, load_s.overload)
    const { kills, health, slowestHealth_ms, missing, looks } = supervisor.seen
    const share = good.perSecond / peak.good.perSecond
    noteFault(row, {
      title: `overload of ${connections} connections`,
      runs: 1,
      lost: kills,
      repeated: 0,
      reordered: 0,
      divergent: 0,
      stuck_s: slowestHealth_ms / 1000,
      note: `goodput ${share.toFixed(2)} of that of 50, answers ${JSON.stringify(statuses)}`,
    })
    expect(kills).toBe(0)
    expect([...health.keys()]).toEqual([200])
    // The process serves what it can. If the load balancer sent it nothing more, it would send everything to the others. Beside other
    // load, a machine may now and then keep a part from answering in time.
    expect(Math.max(0, ...missing.values())).toBeLessThan(looks / 2)
    expect(looks).toBeGreaterThan(5)
    const others = Object.keys(statuses).filter((status) => status !== '200' && status !== '503')
    expect(others).toEqual([])
    expect(statuses['200'] ?? 0).toBeGreaterThan(0)
  })
})
