import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { requestLife_ms } from '../../../application/processes/process-manager.ts'
import { postmasterOn, processesOn } from '../../adapters/postgres/embedded/support.ts'
import { isLong, noteFault } from '../../support/fault-table.ts'
import { call, currentUser, register, type Person } from '../../support/load-api.ts'
import { runClient } from '../../support/load-clients.ts'
import { chance, faultsSeed } from '../../support/load-random.ts'
import { loadSite } from '../../support/load-site.ts'
import { factsOf } from '../history-facts.ts'
import { compareWithHistory } from '../ledger-checks.ts'
import { divergentRows, finishedSteps, wholeHistory, withStore } from '../store-checks.ts'
import { paced, patience_ms } from '../../support/pace.ts'

/** Each death uses one of the starts that the product allows within ten minutes. */
const deaths = isLong ? 8 : 2
const clients = 8
const answered = isLong ? { min: 20, max: 60 } : { min: 10, max: 30 }
const moment_ms = { min: 0, max: 50 }
/**
 * Clients give up commands only in the long run. No process dies here, so a worker finishes those only once they are older than
 * a request may live.
 */
const finished_ms_max = isLong ? requestLife_ms + 60_000 : patience_ms
const stuck_s_max = 10
const signals = ['SIGKILL', 'SIGQUIT'] as const

describe.skipIf(process.platform !== 'linux')('the death of the embedded postmaster (seen through /proc)', () => {
  const seed = faultsSeed()
  const random = chance(seed)
  const site = loadSite({ patient: !isLong })
  const folder = `${site.dataDir}/postgres`
  let witness: Person
  let running: readonly Promise<void>[] = []

  beforeAll(async () => {
    const { url } = await site.start()
    witness = await call(url, register('witness'))
    const market = { invites: [] }
    running = Array.from({ length: clients }, (_none, index) =>
      runClient(`m${index}`, site.traffic, market, random.fork(index)),
    )
  })
  afterAll(() => site.remove())

  /** Kills it under load; returns how long the server took to answer with data from Postgres again. */
  async function killOnce(signal: NodeJS.Signals): Promise<number> {
    site.openGate()
    const { entries } = site.traffic.ledger
    const wanted = entries.length + random.between(answered.min, answered.max)
    await expect.poll(() => entries.length).toBeGreaterThanOrEqual(wanted)
    await sleep(random.between(moment_ms.min, moment_ms.max))
    const before = postmasterOn(folder)?.pid ?? Number.NaN
    process.kill(before, signal)
    const began = performance.now()
    await expect.poll(() => postmasterOn(folder)?.pid).not.toBe(before)
    const isBack = () => call(site.product.url, currentUser(witness)).catch(() => undefined)
    await expect.poll(isBack).toEqual({ id: witness.id })
    const stuck_s = (performance.now() - began) / 1000
    await Promise.race([site.closeGate(clients), ...running.map(failure)])
    return stuck_s
  }

  it('makes the product start another one by itself: nothing is lost, nothing is doubled, and rows equal a rebuild', async () => {
    let stuck_s = 0
    for (let death = 0; death < deaths; death += 1)
      stuck_s = Math.max(stuck_s, await killOnce(signals[death % signals.length] ?? 'SIGKILL'))
    await withStore(site.dataDir, async (store) => {
      const { left } = await finishedSteps(store, finished_ms_max)
      const { entries } = site.traffic.ledger
      const { lost, repeated, unexpected } = compareWithHistory(entries, factsOf(await wholeHistory(store)))
      const divergent = await divergentRows(store)
      noteFault('F31', {
        title: 'The embedded postmaster killed under load',
        runs: deaths,
        lost: lost.length,
        repeated: repeated.length,
        reordered: 0,
        divergent: divergent.length,
        stuck_s,
        note: `${entries.length} commands, ${entries.filter(({ attempts }) => attempts > 1).length} sent again; FAULTS_SEED=${seed}`,
      })
      const none = { lost: [], repeated: [], unexpected: [], divergent: [] }
      expect({ seed, left, lost, repeated, unexpected, divergent }).toEqual({ seed, left: 0, ...none })
    })
    expect(stuck_s).toBeLessThan(paced(stuck_s_max))
  })

  it('is logged in one line each time; the requests that failed meanwhile are not logged', () => {
    const lines = site.product.lines.map(messageIn)
    expect(lines.filter((line) => line.startsWith('Postgres ended by itself'))).toHaveLength(deaths)
    expect(lines.filter((line) => line === 'could not answer for now').length).toBeLessThanOrEqual(3)
    expect(lines.filter((line) => line === 'failed to answer')).toEqual([])
    expect(lines.length, `${lines.join('\n')}`).toBeLessThan(20 + 20 * deaths)
  })

  it('ends the process, with a line that says so and exit status 1, when it happens again and again', async () => {
    site.end()
    await Promise.all(running)
    const { product } = site
    while (product.isRunning) {
      const pid = postmasterOn(folder)?.pid
      if (pid !== undefined) killIfThere(pid)
      await sleep(50)
    }
    expect(await product.kill()).toBe(1)
    expect(product.lines.join('\n')).toContain('It is not started any more')
    await expect.poll(() => processesOn(folder)).toEqual([])
    noteFault('F31a', {
      title: 'The embedded postmaster killed without end: the process ends',
      runs: 1,
      lost: 0,
      repeated: 0,
      reordered: 0,
      divergent: 0,
      stuck_s: 0,
    })
  })
})

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

const logLine = z.object({ msg: z.string() })

function messageIn(line: string): string {
  return line.startsWith('{') ? logLine.parse(JSON.parse(line)).msg : line
}

/** Rejects if the client fails; otherwise the test would wait for it in vain. */
function failure(client: Promise<void>): Promise<never> {
  return client.then(() => Promise.reject(new Error('A client ended early')))
}
