import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLong, noteFault } from '../support/fault-table.ts'
import { call, currentUser } from '../support/load-api.ts'
import { runClient, type Market } from '../support/load-clients.ts'
import { isSuccess } from '../support/load-ledger.ts'
import { chance, faultsSeed } from '../support/load-random.ts'
import { loadSite } from '../support/load-site.ts'
import { aligned } from '../../bench/support/report.ts'
import { postmasterOn, processesOn } from '../adapters/postgres/embedded/support.ts'
import { factsOf } from './history-facts.ts'
import { compareWithHistory, type Findings } from './ledger-checks.ts'
import { divergentRows, finishedSteps, wholeHistory, withStore } from './store-checks.ts'
import { patience_ms } from '../support/pace.ts'

const rounds = isLong ? 40 : 6
const clients = isLong ? 12 : 8
/** In the short run, read models are compared with a rebuild after every third round: what a kill leaves behind stays. */
const roundsCompared = isLong ? 1 : 3
/**
 * The load of a round: this many commands are answered, and then a pause follows. The pause varies the point of a command that
 * the kill strikes.
 */
const answered = { min: 5, max: isLong ? 60 : 30 }
const moment_ms = { min: 0, max: 60 }
const load_ms_max = 4000
/**
 * In one round of this many the next start is killed too, at any moment. In another one Postgres is killed together with the
 * product.
 */
const killedToo = 3
const killedStart_ms = { min: 20, max: 900 }

/** The result of one round. */
interface Round extends Findings {
  readonly commands: number
  readonly events: number
  readonly retried: number
  /** Undefined where the round was not compared. */
  readonly divergent: readonly string[] | undefined
  readonly unfinished: number
  readonly ready_ms: number
  readonly finished_ms: number
}

describe('a SIGKILL at a random moment under load', () => {
  const seed = faultsSeed()
  const random = chance(seed)
  const site = loadSite()
  const results: Round[] = []
  let running: Promise<void>[] = []

  async function loaded(commands: number): Promise<void> {
    const { entries } = site.traffic.ledger
    const [from, began] = [entries.length, performance.now()]
    while (entries.length < from + commands && performance.now() < began + load_ms_max) await sleep(1)
  }

  async function oneRound(round: number): Promise<Round> {
    site.openGate()
    await loaded(random.between(answered.min, answered.max))
    await sleep(random.between(moment_ms.min, moment_ms.max))
    const postgres = round % killedToo === 0 ? postmasterOn(`${site.dataDir}/postgres`)?.pid : undefined
    site.product.signal('SIGKILL')
    // If its Postgres is killed in the same moment, Postgres must recover from its log.
    if (postgres !== undefined) process.kill(postgres, 'SIGKILL')
    await site.kill()
    if (round % killedToo === 1) await site.startAndKill(random.between(killedStart_ms.min, killedStart_ms.max))
    const { ready_ms } = await site.start()
    await Promise.race([site.closeGate(clients), ...running.map(failure)])
    return withStore(site.dataDir, async (store) => {
      const { ms: finished_ms, left: unfinished } = await finishedSteps(store, patience_ms)
      const events = await wholeHistory(store)
      const { entries } = site.traffic.ledger
      const findings = compareWithHistory(entries, factsOf(events))
      const retried = entries.filter(({ attempts }) => attempts > 1).length
      const divergent = (round + 1) % roundsCompared === 0 ? await divergentRows(store) : undefined
      return {
        ...findings,
        commands: entries.length,
        events: events.length,
        retried,
        divergent,
        unfinished,
        ready_ms,
        finished_ms,
      }
    })
  }

  beforeAll(async () => {
    await site.start()
    const market: Market = { invites: [] }
    running = Array.from({ length: clients }, (_none, index) =>
      runClient(`c${index}`, site.traffic, market, random.fork(index)),
    )
  })

  afterAll(async () => {
    printRounds(seed, results)
    noteRounds(seed, results)
    await site.remove()
  })

  it(
    'loses no acknowledged command, applies none twice, and leaves read models that equal a rebuild',
    async () => {
      for (let round = 0; round < rounds; round += 1) {
        const result = await oneRound(round)
        results.push(result)
        const { lost, repeated, unexpected, divergent, unfinished } = result
        expect({ seed, round, lost, repeated, unexpected, divergent: divergent ?? [], unfinished }).toEqual({
          seed,
          round,
          lost: [],
          repeated: [],
          unexpected: [],
          divergent: [],
          unfinished: 0,
        })
      }
    },
    10 * 60_000,
  )

  it('leaves every session that was ever handed out valid', async () => {
    const registered = site.traffic.ledger.entries.flatMap(({ wish, answer }) =>
      wish.kind === 'register' && answer && isSuccess(answer) ? [answer.body] : [],
    )
    expect(registered.length).toBeGreaterThan(0)
    for (const body of registered) {
      const { token, user_id: id } = body as { readonly token: string; readonly user_id: string }
      expect((await call(site.product.url, currentUser({ token, id }))).id).toBe(id)
    }
  })

  it('leaves nothing running', async () => {
    site.end()
    await Promise.all(running)
    await site.kill()
    await expect.poll(() => processesOn(`${site.dataDir}/postgres`)).toEqual([])
  })
})

/** Rejects if the client fails; otherwise the test would wait for it in vain. */
function failure(client: Promise<void>): Promise<never> {
  return client.then(() => Promise.reject(new Error('A client ended early')))
}

/** The findings of a round count from the beginning, so those of the last round cover all. */
function noteRounds(seed: number, results: readonly Round[]): void {
  const last = results.at(-1)
  if (!last) return
  noteFault('F1a', {
    title: 'One process killed under load',
    runs: results.length,
    lost: last.lost.length,
    repeated: last.repeated.length,
    reordered: 0,
    divergent: results.flatMap(({ divergent = [] }) => divergent).length,
    stuck_s: Math.max(...results.map(({ ready_ms }) => ready_ms)) / 1000,
    note: `${last.commands} commands, ${last.retried} sent again; a process starts in the time; FAULTS_SEED=${seed}`,
  })
}

function printRounds(seed: number, results: readonly Round[]): void {
  const columns = [
    'round',
    'commands',
    'events',
    'retried',
    'lost',
    'repeated',
    'divergent',
    'unexpected',
    'unfinished',
    'ready ms',
    'finished ms',
  ]
  const rows = results.map((round, index) => {
    const findings = [round.lost, round.repeated, round.divergent, round.unexpected].map((found) => found?.length)
    const numbers = [
      index + 1,
      round.commands,
      round.events,
      round.retried,
      ...findings,
      round.unfinished,
      round.ready_ms,
      round.finished_ms,
    ]
    return numbers.map((number) => (number === undefined ? '-' : String(Math.round(number))))
  })
  const head = `FAULTS_SEED=${seed}: ${results.length} kills; commands to unexpected count from the beginning`
  process.stdout.write(`\n${head}\n${aligned([columns, ...rows])}\n`)
}
