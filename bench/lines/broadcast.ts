import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { startProduct } from '../../test/support/product-process.ts'
import { gatewayScript, listenBare, open_ms_max } from '../gateway/children.ts'
import { gatherCrowd, type Crowd, type Visits } from '../gateway/crowd.ts'
import { withCpu } from '../support/by-cpu.ts'
import type { Child } from '../support/child.ts'
import { measureCores, pin } from '../support/cpu.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, spread, type Comparison, type Sample } from '../support/rounds.ts'
import { scratch } from '../support/scratch.ts'
import { portOf } from './http-site.ts'

const accounts_count = 100
/** How many sessions each account has: in all 1000, and then 5000. */
const sessionsOfEach_counts = [10, 50]
const dispatch = 'GUILD_MEMBER_ADD'
const fanOut_ms_max = 10_000
const settle_ms = 1000
/** Lets the server finish its other work for an event, such as its messages to other processes, before the next event. */
const pause_ms = 10
const targets = { byClock: 0.95, byCpu: 0.8 }

const fanOut = z.object({ first_ms: z.number(), last_ms: z.number(), payload: z.instanceof(Uint8Array) })

/**
 * One event to 1000 sessions and to 5000 in another process, beside a bare `ws` server that hands one shared buffer to as many
 * sockets. Measured by the clock, from the first delivery to the last, and by the CPU time of the server, which includes the work
 * before the first delivery.
 */
export async function broadcastLine({ seconds, rounds }: LineSettings): Promise<readonly Comparison[]> {
  const place = scratch()
  const closing: (() => Promise<unknown>)[] = [async () => place.remove()]
  try {
    const product = await startProduct({ dataDir: place.folder })
    closing.push(() => product.stop())
    const children = {
      server: gatewayScript('bare-gateway'),
      load: gatewayScript('session-load'),
      bareLoad: gatewayScript('session-load'),
    }
    closing.push(...Object.values(children).map((child) => () => child.end()))
    const ports = { own: portOf(product.url), bare: await listenBare(children.server) }
    const crowd = await gatherCrowd(product.url, accounts_count)
    // On one core, a server and its clients would be measured together, and the choice of core would be random.
    const servers = [product.pid, children.server.pid].map((pid) => pin(pid, 0))
    const pinned = [...servers, pin(children.load.pid, 1), pin(children.bareLoad.pid, 1)].every(Boolean)
    const comparisons: Comparison[] = []
    let open_count = 0
    for (const each_count of sessionsOfEach_counts) {
      await openSessions(children, crowd, ports, each_count - open_count)
      open_count = each_count
      const sides = await sidesOf(product.pid, children, crowd, await costsOf(product.pid, crowd.elsewhere, seconds))
      const measured = { sessions_count: accounts_count * each_count, seconds, rounds, pinned }
      comparisons.push(...(await besideEachOther(sides, measured)))
    }
    return comparisons
  } finally {
    for (const step of closing.toReversed()) await step()
  }
}

interface Children {
  readonly server: Child
  readonly load: Child
  readonly bareLoad: Child
}

/** Opens so many more sessions of each account, and as many bare sockets. */
async function openSessions(
  { load, bareLoad }: Children,
  { members }: Crowd,
  ports: { readonly own: number; readonly bare: number },
  each_count: number,
): Promise<void> {
  const tokens = members.flatMap(({ token }) => Array.from({ length: each_count }, () => token))
  await load.ask({ open: { port: ports.own, tokens, dispatch } }, open_ms_max)
  await bareLoad.ask({ open: { port: ports.bare, path: '/', tokens: tokens.map(() => null), dispatch } }, open_ms_max)
  await sleep(settle_ms)
}

interface Sides {
  readonly own: Side
  readonly bare: Side
  readonly payload_bytes: number
}

async function sidesOf(pid: number, children: Children, crowd: Crowd, besides: Costs): Promise<Sides> {
  const { server, load, bareLoad } = children
  const product = { load, server: pid, trigger: crowd.come, reset: crowd.go }
  const own: Side = { ...product, dispatches: 2, besides }
  const { payload } = await fanOutOf(own)
  const bare: Side = {
    load: bareLoad,
    server: server.pid,
    trigger: () => server.ask({ broadcast: payload }, fanOut_ms_max),
    reset: async () => undefined,
    dispatches: 1,
    besides: { idle_cores: 0, commands_ms: 0 },
  }
  return { own, bare, payload_bytes: payload.length }
}

interface Measured {
  readonly sessions_count: number
  readonly seconds: number
  readonly rounds: number
  readonly pinned: boolean
}

async function besideEachOther(
  { own, bare, payload_bytes }: Sides,
  measured: Measured,
): Promise<readonly Comparison[]> {
  const { sessions_count, seconds, rounds, pinned } = measured
  const broadcast = (side: Side, for_s: number): Promise<Sample> => broadcasts(side, for_s, sessions_count)
  await broadcast(bare, 1)
  await broadcast(own, 1)
  const byClock = await compare({
    line: `broadcast, ${sessions_count} sessions`,
    unit: 'deliveries/s',
    target: targets.byClock,
    rounds,
    baseline: () => broadcast(bare, seconds),
    product: () => broadcast(own, seconds),
  })
  return withCpu(byClock, { unit: 'deliveries/CPU s', target: targets.byCpu, count: sessions_count }, [
    `${payload_bytes} bytes a dispatch (${dispatch}), ${pinned ? 'server and sessions each on a core of their own' : 'processes on any core'}`,
    `taken off: ${own.besides.idle_cores.toFixed(3)} cores while nothing happens, ${own.besides.commands_ms.toFixed(1)} ms for the commands that make the events`,
  ])
}

/** What the server does besides, with all sessions open. */
interface Costs {
  /** While nothing happens: heartbeats, and what follows history. */
  readonly idle_cores: number
  /** The CPU time that joining and leaving costs where nobody receives it. */
  readonly commands_ms: number
}

async function costsOf(server: number, { come, go }: Visits, seconds: number): Promise<Costs> {
  const idle = measureCores({ server: () => [server] })
  await sleep(seconds * 1000)
  const idle_cores = idle()['server'] ?? 0
  const cores = measureCores({ server: () => [server] })
  const began = performance.now()
  let times = 0
  while (performance.now() < began + seconds * 1000) {
    await come()
    await sleep(pause_ms)
    await go()
    await sleep(pause_ms)
    times += 1
  }
  return { idle_cores, commands_ms: (((cores()['server'] ?? 0) - idle_cores) * (performance.now() - began)) / times }
}

interface Side {
  readonly load: Child
  readonly server: number
  /** Triggers the measured event. */
  readonly trigger: () => Promise<unknown>
  /** Makes it possible to trigger again. */
  readonly reset: () => Promise<unknown>
  /** Dispatches to all sessions for each measured one, including those that reset causes. */
  readonly dispatches: number
  readonly besides: Costs
}

async function fanOutOf({ load, trigger, reset }: Side): Promise<z.output<typeof fanOut>> {
  const arrived = load.ask({ next: true }, fanOut_ms_max)
  const [result] = await Promise.all([arrived, trigger()])
  await sleep(pause_ms)
  await reset()
  await sleep(pause_ms)
  return fanOut.parse(result)
}

async function broadcasts(side: Side, seconds: number, sessions_count: number): Promise<Sample> {
  const measured = measureCores({ server: () => [side.server], sessions: () => [side.load.pid] })
  const spreads: number[] = []
  const began = performance.now()
  while (performance.now() < began + seconds * 1000) {
    const { first_ms, last_ms } = await fanOutOf(side)
    spreads.push(last_ms - first_ms)
  }
  const cores = measured()
  const busy = (cores['server'] ?? Number.NaN) - side.besides.idle_cores
  const each_ms = (busy * (performance.now() - began)) / spreads.length
  const { median, min, max } = spread(spreads)
  const server_ms = (each_ms - side.besides.commands_ms) / side.dispatches
  const details = { events: spreads.length, fanOut_ms: median, fanOut_ms_min: min, fanOut_ms_max: max, server_ms }
  return { rate: ((sessions_count - 1) * 1000) / median, cores, details }
}
