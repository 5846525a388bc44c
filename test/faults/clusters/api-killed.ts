import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { turnLife_ms } from '../../../adapters/http/idempotency/idempotency-rows.ts'
import { requestLife_ms } from '../../../application/processes/process-manager.ts'
import type { Client } from '../../gateway/support/client.ts'
import { clusterLoad, type ClusterLoad } from '../../support/cluster/cluster-load.ts'
import {
  happened,
  heard,
  keepWriting,
  listenAt,
  misheard,
  newWitness,
  type Witness,
} from '../../support/cluster/witness.ts'
import { isLong, noteFault } from '../../support/fault-table.ts'
import { chance } from '../../support/load-random.ts'
import { paced, patience_ms } from '../../support/pace.ts'
import { factsOf } from '../history-facts.ts'
import { compareWithHistory } from '../ledger-checks.ts'
import { divergentRows, finishedSteps, wholeHistory } from '../store-checks.ts'
import { nothingWrong, type OnStage } from './cluster-stage.ts'

const kills = isLong ? 500 : 8
const apis = 3
/** A kill waits while only this many run, so that a client of a killed process finds another one. */
const apis_min = 1
const clients = 6
/** The number of commands that are answered before each kill. */
const answered = { min: 2, max: isLong ? 40 : 20 }
/**
 * A pause before each kill. Each kill draws it from its own part of the range, so that kills strike commands at different points.
 */
const moment_ms_max = 40
/** The turn of a killed request ends after `turnLife_ms`; a client that repeats the request is answered then. */
const silence_ms_max = turnLife_ms + 5000
/**
 * A client that repeats a half-done command finishes it. A worker finishes what clients have given up, but only once it is older
 * than a request may live (`requestLife_ms`). Clients give up only in the long run.
 */
const finished_ms_max = isLong ? requestLife_ms + 60_000 : patience_ms

export function apiKilled(on: OnStage, seed: number): void {
  describe('F1: an API process killed in the middle of commands', () => {
    const random = chance(seed)
    let load: ClusterLoad
    let witness: Witness
    let session: Client

    beforeAll(async () => {
      await on().atLeast('api', apis)
      load = clusterLoad(on().cluster, { patient: !isLong })
      const url = await load.traffic.url()
      witness = await newWitness(() => url, 'witness')
      session = await listenAt(on().urlOf('gateway'), witness)
    })

    /** Kills one process under load. The other processes answer its open requests before new processes start. */
    async function killOne(kill: number): Promise<void> {
      const { cluster } = on()
      load.gate.open()
      await load.answered(random.between(answered.min, answered.max))
      await sleep(((kill + random.next()) / kills) * moment_ms_max)
      await random.pick(cluster.running('api'))?.kill('SIGKILL')
      await load.pause()
      if (cluster.running('api').length > apis_min || kill === kills - 1) return
      await on().atLeast('api', apis)
    }

    it(
      'runs each command exactly once: clients repeat it with the same Idempotency-Key at another process',
      async () => {
        load.start(clients, random)
        load.add(keepWriting(witness, load.traffic, 0))
        for (let kill = 0; kill < kills; kill += 1) await killOne(kill)
        const { entries } = load.traffic.ledger
        const retried = entries.filter(({ attempts }) => attempts > 1).length
        const { store, errors } = on()
        const { ms: finished_ms, left } = await finishedSteps(store, finished_ms_max)
        const events = await wholeHistory(store)
        const { lost, repeated, unexpected } = compareWithHistory(entries, factsOf(events))
        const divergent = await divergentRows(store)
        const facts = happened(witness, events)
        await expect.poll(() => heard([session]).length).toBeGreaterThanOrEqual(facts.length)
        const wrong = misheard(heard([session]), facts)
        noteFault('F1', {
          title: 'API process killed in mid-command',
          runs: kills,
          lost: lost.length + wrong.lost.length,
          repeated: repeated.length + wrong.repeated.length,
          reordered: wrong.reordered.length,
          divergent: divergent.length,
          stuck_s: load.silence_ms / 1000,
          note: `${entries.length} commands, ${retried} sent again; last step finished after ${Math.round(finished_ms)} ms`,
        })
        expect({ seed, lost, repeated, unexpected, divergent, left, wrong }).toEqual({ seed, ...nothingWrong })
        expect(errors).toEqual([])
        expect(retried, 'commands that a kill struck').toBeGreaterThan(0)
        expect(load.silence_ms, 'the longest time without an answer').toBeLessThan(paced(silence_ms_max))
        await load.end()
      },
      isLong ? 60 * 60_000 : 10 * 60_000,
    )
  })
}
