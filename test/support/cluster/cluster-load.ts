import { setTimeout as sleep } from 'node:timers/promises'
import { clientPause_ms, runClient, slowPause_ms, type Market, type Traffic } from '../load-clients.ts'
import { loadGate, type LoadGate } from '../load-gate.ts'
import { ledger } from '../load-ledger.ts'
import type { Chance } from '../load-random.ts'
import type { Cluster } from './start-cluster.ts'
import { patience_ms } from '../pace.ts'

/** Clients that spread their commands over the API processes of a cluster, and try another process if one does not answer. */
export interface ClusterLoad {
  readonly traffic: Traffic
  readonly gate: LoadGate
  /** Starts clients. */
  start(clients: number, random: Chance): void
  /** Adds a client that ends by itself once the load is over. */
  add(client: Promise<void>): void
  /** Lets clients pause longer between commands while a task runs. */
  slowly<Result>(task: () => Promise<Result>): Promise<Result>
  /** Resolves once this many more commands are answered, or rejects if that takes too long or a client failed. */
  answered(commands: number): Promise<void>
  /** Lets all clients finish their current commands, and resolves once each of them waits. */
  pause(): Promise<void>
  /** Ends the load. Resolves once all clients have ended; rejects if one failed. */
  end(): Promise<void>
  /** The longest time between two answers while the gate was open. */
  readonly silence_ms: number
}

const poll_ms = 5

/** Makes the load; clients send nothing before `start`. Patient clients never give up an unanswered command. */
export function clusterLoad(cluster: Pick<Cluster, 'running'>, { patient = false } = {}): ClusterLoad {
  const gate = loadGate()
  const clock = silenceClock()
  const book = ledger()
  const market: Market = { invites: [] }
  const everybody: Promise<void>[] = []
  let pause_ms = clientPause_ms
  const traffic: Traffic = {
    url: takingTurns(cluster),
    mayGoOn: gate.mayGoOn,
    patient,
    get pause_ms() {
      return pause_ms
    },
    ledger: {
      entries: book.entries,
      add: (entry) => {
        book.add(entry)
        clock.tick()
      },
    },
  }
  const unlessOneFails = <Result>(result: Promise<Result>): Promise<Result> =>
    Promise.race([result, ...everybody.map(failure)])
  return {
    traffic,
    gate: { ...gate, open: () => (clock.restart(), gate.open()) },
    start(clients, random) {
      clock.restart()
      for (let index = 0; index < clients; index += 1)
        everybody.push(runClient(`c${index}`, traffic, market, random.fork(index)))
    },
    add: (client) => void everybody.push(client),
    async slowly(task) {
      pause_ms = slowPause_ms
      try {
        return await task()
      } finally {
        pause_ms = clientPause_ms
      }
    },
    answered: (commands) => unlessOneFails(untilAnswered(traffic, commands)),
    async pause() {
      await unlessOneFails(gate.close(everybody.length))
      clock.stop()
    },
    async end() {
      clock.stop()
      gate.end()
      await Promise.all(everybody)
    },
    get silence_ms() {
      return clock.longest_ms
    },
  }
}

/** One API process after another; waits while there is none. */
function takingTurns(cluster: Pick<Cluster, 'running'>): Traffic['url'] {
  let turn = 0
  return async () => {
    const deadline = performance.now() + patience_ms
    for (;;) {
      const apis = cluster.running('api')
      const api = apis[(turn += 1) % apis.length]
      if (api) return api.url
      if (performance.now() > deadline) throw new Error(`No API process ran for ${patience_ms} ms`)
      await sleep(poll_ms)
    }
  }
}

async function untilAnswered({ ledger: { entries } }: Traffic, commands: number): Promise<void> {
  const [from, deadline] = [entries.length, performance.now() + patience_ms]
  while (entries.length < from + commands) {
    if (performance.now() > deadline)
      throw new Error(`Only ${entries.length - from} of ${commands} commands were answered in ${patience_ms} ms`)
    await sleep(poll_ms)
  }
}

/** Without this, a client that fails would be waited for in vain. */
function failure(client: Promise<void>): Promise<never> {
  return client.then(() => Promise.reject(new Error('A client ended early')))
}

function silenceClock() {
  let last_ms: number | undefined
  let longest_ms = 0
  function tick(): void {
    const now = performance.now()
    if (last_ms !== undefined) longest_ms = Math.max(longest_ms, now - last_ms)
    if (last_ms !== undefined) last_ms = now
  }
  return {
    tick,
    restart: () => void (last_ms = performance.now()),
    stop: () => void (tick(), (last_ms = undefined)),
    get longest_ms() {
      return longest_ms
    },
  }
}
