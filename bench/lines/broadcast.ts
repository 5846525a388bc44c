import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { startProduct } from '../../test/support/product-process.ts'
import { gatherCrowd, type Crowd } from '../gateway/crowd.ts'
import { forkChild, type Child } from '../support/child.ts'
import { measureCores, pin } from '../support/cpu.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, comparisonOf, spread, type Comparison, type Sample } from '../support/rounds.ts'
import { scratch } from '../support/scratch.ts'
import { portOf } from './http-site.ts'

const accounts_count = 20
const sessionsEach_count = 50
const sessions_count = accounts_count * sessionsEach_count
const dispatch = 'GUILD_MEMBER_ADD'
const open_ms_max = 120_000
const fanOut_ms_max = 10_000
const settle_ms = 1000
/** Lets the server finish its other work for an event, such as its messages to other processes, before the next event. */
const pause_ms = 10
const target = 0.9

const fanOut = z.object({ first_ms: z.number(), last_ms: z.number(), payload: z.instanceof(Uint8Array) })
const listening = z.object({ port: z.int() })

/**
 * One event to 1,000 sessions in another process, beside a bare `ws` server that hands one shared buffer to 1,000 sockets.
 * Measured by the clock, from the first delivery to the last, and by the CPU time of the server, which includes the work before
 * the first delivery.
 */
export async function broadcastLine({ seconds, rounds }: LineSettings): Promise<readonly Comparison[]> {
  const place = scratch()
  const closing: (() => Promise<unknown>)[] = [async () => place.remove()]
  try {
    const product = await startProduct({ dataDir: place.folder })
    closing.push(() => product.stop())
    const children = {
      server: script('bare-broadcast'),
      load: script('session-load'),
      bareLoad: script('session-load'),
    }
    closing.push(...Object.values(children).map((child) => () => child.end()))
    const { port } = listening.parse(await children.server.ask({ listen: true }, open_ms_max))
    const crowd = await gatherCrowd(product.url, accounts_count)
    // On one core, a server and its clients would be measured together, and the choice of core would be random.
    const servers = [product.pid, children.server.pid].map((pid) => pin(pid, 0))
    const pinned = [...servers, pin(children.load.pid, 1), pin(children.bareLoad.pid, 1)].every(Boolean)
    const command_ms = await costOfCommands(product.pid, crowd, seconds)
    await openSessions(children, crowd, { own: portOf(product.url), bare: port })

    const own: Side = {
      load: children.load,
      server: product.pid,
      trigger: crowd.come,
      reset: crowd.go,
      dispatches: 2,
      besides_ms: command_ms,
    }
    const { payload } = await fanOutOf(own)
    const bare: Side = {
      load: children.bareLoad,
      server: children.server.pid,
      trigger: () => children.server.ask({ broadcast: payload }, fanOut_ms_max),
      reset: async () => undefined,
      dispatches: 1,
      besides_ms: 0,
    }
    await broadcasts(bare, 1)
    await broadcasts(own, 1)
    const sides = { baseline: () => broadcasts(bare, seconds), product: () => broadcasts(own, seconds) }
    const byClock = await compare({ line: 'broadcast', unit: 'deliveries/s', target, rounds, ...sides })
    return reported(byClock, [
      `${sessions_count} sessions, ${payload.length} bytes a dispatch (${dispatch}), ${pinned ? 'server and sessions each on a core of their own' : 'processes on any core'}`,
    ])
  } finally {
    for (const step of closing.toReversed()) await step()
  }
}

/** The same rounds by the clock, and by the CPU time that one delivery costs the server. */
function reported(byClock: Comparison, notes: readonly string[]): readonly Comparison[] {
  const samples = byClock.samples.map(({ product, baseline }) => ({
    product: perCpu(product),
    baseline: perCpu(baseline),
  }))
  const byCpu = comparisonOf({ line: 'broadcast, by CPU', unit: 'deliveries/CPU s', target }, samples)
  return [
    { ...byClock, cpu_us: byCpu.cpu_us, notes },
    {
      ...byCpu,
      limit: 'the server, by definition',
      notes: ['the CPU time of the commands that make the events is taken off'],
    },
  ]
}

function perCpu({ details, cores }: Sample): Sample {
  const rate = (1000 * sessions_count) / (details['server_ms'] ?? Number.NaN)
  // The server has one core all the time, so the cost of one delivery is its CPU time.
  return { rate, cores: { ...cores, server: 1 }, details }
}

const script = (name: string): Child => forkChild(new URL(`../gateway/${name}.js`, import.meta.url))

async function openSessions(
  { load, bareLoad }: { readonly load: Child; readonly bareLoad: Child },
  { members }: Crowd,
  ports: { readonly own: number; readonly bare: number },
): Promise<void> {
  const tokens = members.flatMap(({ token }) => Array.from({ length: sessionsEach_count }, () => token))
  const own = { port: ports.own, path: '/gateway?v=1&encoding=json', tokens, dispatch }
  await load.ask({ open: own }, open_ms_max)
  await bareLoad.ask({ open: { port: ports.bare, path: '/', tokens: tokens.map(() => null), dispatch } }, open_ms_max)
  await sleep(settle_ms)
}

/** The CPU time that joining and leaving costs the server without any listeners, in milliseconds. */
async function costOfCommands(server: number, { come, go }: Crowd, seconds: number): Promise<number> {
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
  return ((cores()['server'] ?? 0) * (performance.now() - began)) / times
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
  /** CPU time of other work for each, in milliseconds. */
  readonly besides_ms: number
}

async function fanOutOf({ load, trigger, reset }: Side): Promise<z.output<typeof fanOut>> {
  const arrived = load.ask({ next: true }, fanOut_ms_max)
  const [result] = await Promise.all([arrived, trigger()])
  await sleep(pause_ms)
  await reset()
  await sleep(pause_ms)
  return fanOut.parse(result)
}

async function broadcasts(side: Side, seconds: number): Promise<Sample> {
  await side.load.ask({ heartbeat: true }, fanOut_ms_max)
  await sleep(pause_ms)
  const measured = measureCores({ server: () => [side.server], sessions: () => [side.load.pid] })
  const spreads: number[] = []
  const began = performance.now()
  while (performance.now() < began + seconds * 1000) {
    const { first_ms, last_ms } = await fanOutOf(side)
    spreads.push(last_ms - first_ms)
  }
  const cores = measured()
  const each_ms = ((cores['server'] ?? Number.NaN) * (performance.now() - began)) / spreads.length
  const { median, min, max } = spread(spreads)
  const server_ms = (each_ms - side.besides_ms) / side.dispatches
  const details = { events: spreads.length, fanOut_ms: median, fanOut_ms_min: min, fanOut_ms_max: max, server_ms }
  return { rate: ((sessions_count - 1) * 1000) / median, cores, details }
}
