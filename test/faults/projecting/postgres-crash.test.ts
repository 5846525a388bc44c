import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { finishUnfinished } from '../../../application/processes/finish-unfinished.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { until } from '../../projections/support/world.ts'
import { isLong, noteFault } from '../../support/fault-table.ts'
import { call, currentUser, register, type Person } from '../../support/load-api.ts'
import { runClient, type Traffic } from '../../support/load-clients.ts'
import { loadGate } from '../../support/load-gate.ts'
import { ledger } from '../../support/load-ledger.ts'
import { chance, faultsSeed } from '../../support/load-random.ts'
import { startTestGuildhall, type TestGuildhall } from '../../support/test-guildhall.ts'
import { factsOf } from '../history-facts.ts'
import { compareWithHistory } from '../ledger-checks.ts'
import { divergentRows, finishedSteps, wholeHistory } from '../store-checks.ts'
import { crashablePostgres, type CrashablePostgres } from './crashable-postgres.ts'
import { paced, patience_ms } from '../../support/pace.ts'

const crashes = isLong ? 20 : 2
const clients = 8
/**
 * Between two crashes this many commands are answered, and then a pause follows. So the crash strikes at any point of a command.
 */
const answered = isLong ? { min: 20, max: 60 } : { min: 10, max: 30 }
const moment_ms = { min: 0, max: 50 }
const load_ms_max = 15_000
const stuck_s_max = 10

describe('a crash of Postgres under load', () => {
  const seed = faultsSeed()
  const random = chance(seed)
  const gate = loadGate()
  let postgres: CrashablePostgres
  let server: TestGuildhall
  let witness: Person
  let traffic: Traffic
  let running: readonly Promise<void>[] = []

  beforeAll(async () => {
    postgres = await crashablePostgres()
    server = await startTestGuildhall({ connection: postgres.connection })
    witness = await call(server.url, register('witness'))
    traffic = { url: () => Promise.resolve(server.url), mayGoOn: gate.mayGoOn, ledger: ledger() }
    const market = { invites: [] }
    running = Array.from({ length: clients }, (_none, index) =>
      runClient(`p${index}`, traffic, market, random.fork(index)),
    )
  })

  afterAll(async () => {
    gate.end()
    await Promise.all(running)
    await server.close()
    await postgres.remove()
  })

  /** Crashes Postgres under load and starts it again; returns how long the server then took to answer with data from it. */
  async function crashOnce(): Promise<number> {
    gate.open()
    const { entries } = traffic.ledger
    const from = entries.length
    const wanted = random.between(answered.min, answered.max)
    await until(() => entries.length >= from + wanted, load_ms_max)
    await sleep(random.between(moment_ms.min, moment_ms.max))
    await postgres.crash()
    await postgres.restart()
    const began = performance.now()
    await until(async () => (await call(server.url, currentUser(witness)).catch(() => undefined)) !== undefined)
    const stuck_s = (performance.now() - began) / 1000
    await Promise.race([gate.close(clients), ...running.map(failure)])
    return stuck_s
  }

  it(
    'loses nothing that was acknowledged, repeats nothing, and leaves rows that equal a rebuild',
    async () => {
      const divergent: string[] = []
      let [stuck_s, finished, unfinished] = [0, 0, 0]
      for (let crash = 0; crash < crashes; crash += 1) {
        stuck_s = Math.max(stuck_s, await crashOnce())
        finished += await finishGivenUp(server)
        unfinished += (await finishedSteps(server.store, patience_ms)).left
        // What a crash leaves behind stays: in the short run, one comparison shows what both have left.
        if (isLong || crash === crashes - 1) divergent.push(...(await divergentRows(server.store)))
      }
      const history = factsOf(await wholeHistory(server.store))
      const { lost, repeated, unexpected } = compareWithHistory(traffic.ledger.entries, history)
      const all = { lost, repeated, unexpected, divergent }
      const { entries } = traffic.ledger
      const note = `${entries.length} commands, ${entries.filter(({ attempts }) => attempts > 1).length} sent again, ${finished} steps finished for clients that gave up; FAULTS_SEED=${seed}`
      noteFault('F10', {
        title: 'Postgres crashed under load',
        runs: crashes,
        lost: lost.length,
        repeated: repeated.length,
        reordered: 0,
        divergent: divergent.length,
        stuck_s,
        note,
      })
      const none = { lost: [], repeated: [], unexpected: [], divergent: [] }
      expect({ seed, unfinished, ...all }).toStrictEqual({ seed, unfinished: 0, ...none })
      expect(stuck_s).toBeLessThan(paced(stuck_s_max))
    },
    10 * 60_000,
  )
})

/**
 * Finishes the steps of commands that nobody repeated, and returns their number. The process managers do this once a step is
 * older than any request. The process that began the steps still lives, and no client is active now.
 */
async function finishGivenUp({ ports, readModels, store }: TestGuildhall): Promise<number> {
  await readModels.reached(await store.events.end())
  const now = timestamp(Date.now() + 1)
  const { finished, failures } = await finishUnfinished(ports)(now, now)
  expect(failures).toStrictEqual([])
  return finished
}

/** Rejects if the client fails; otherwise the test would wait for it in vain. */
function failure(client: Promise<void>): Promise<never> {
  return client.then(() => Promise.reject(new Error('A client ended early')))
}
