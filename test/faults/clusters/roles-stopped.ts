import { beforeAll, describe, expect, it } from 'vitest'
import { roles, type Role } from '../../../process/roles/role.ts'
import type { Client } from '../../gateway/support/client.ts'
import { clusterLoad, type ClusterLoad } from '../../support/cluster/cluster-load.ts'
import { leadersOf } from '../../support/cluster/metrics.ts'
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
import { createInvite, send, type ApiAnswer } from '../../support/load-api.ts'
import { chance } from '../../support/load-random.ts'
import { paced, patience_ms } from '../../support/pace.ts'
import type { ProductProcess } from '../../support/product-process.ts'
import { factsOf } from '../history-facts.ts'
import { compareWithHistory } from '../ledger-checks.ts'
import { divergentRows, finishedSteps, wholeHistory } from '../store-checks.ts'
import { nothingWrong, type OnStage } from './cluster-stage.ts'

const clients = 6
/** The number of commands that are answered between two stops. */
const between = isLong ? 25 : 15
/** Clients that know only one API process, and never retry. */
const stubborn = 8
const stubbornAnswers_min = 40
const stop_ms_max = 10_000
const handOver_ms_max = 3000

/** One request of a stubborn client: what it asked for, and the result. */
interface Sent {
  readonly maxAge: number
  /** Undefined if the connection broke or was refused. */
  readonly answer: ApiAnswer | undefined
}

export function rolesStopped(on: OnStage, seed: number): void {
  describe('F27: SIGTERM of each role under load', () => {
    let load: ClusterLoad
    let witness: Witness
    let sessions: readonly Client[]
    let sent: readonly Sent[] = []
    let stops = 0
    let slowest_ms = 0

    beforeAll(async () => {
      // So that one can take over from the other.
      await Promise.all(roles.map((role) => on().atLeast(role, 2)))
      load = clusterLoad(on().cluster)
      const url = await load.traffic.url()
      witness = await newWitness(() => url, 'listener')
      sessions = await Promise.all(
        on()
          .cluster.running('gateway')
          .map((gateway) => listenAt(gateway.url, witness)),
      )
      load.start(clients, chance(seed))
      load.add(keepWriting(witness, load.traffic, 1))
      await load.answered(between)
    })

    const oldest = (role: Role): ProductProcess => {
      const [product] = on().cluster.running(role)
      if (!product) throw new Error(`No ${role} runs`)
      return product
    }

    /** Stops a process with SIGTERM under load. The load goes on. */
    async function end(product: ProductProcess): Promise<void> {
      const began = performance.now()
      // Rejects for any exit code except 0.
      await product.stop()
      slowest_ms = Math.max(slowest_ms, performance.now() - began)
      stops += 1
      expect(performance.now() - began, `${product.command} has drained`).toBeLessThan(paced(stop_ms_max))
      await load.answered(between)
    }

    it('an API process answers the requests that it has accepted, and accepts no more', async () => {
      const api = oldest('api')
      const progress = { answers: 0 }
      const running = Array.from({ length: stubborn }, (_none, number) => stubbornClient(api.url, number, progress))
      await expect.poll(() => progress.answers).toBeGreaterThan(stubbornAnswers_min)
      await end(api)
      sent = (await Promise.all(running)).flat()
      expect(sent.filter(({ answer }) => answer?.status === 200).length).toBeGreaterThan(stubbornAnswers_min)
    })

    /** Sends requests one after another to one process, until the process accepts no more. */
    async function stubbornClient(
      url: string,
      number: number,
      progress: { answers: number },
    ): Promise<readonly Sent[]> {
      const { owner, guild } = witness
      const all: Sent[] = []
      for (let index = 0; ; index += 1) {
        const maxAge = 300_000 + number * 10_000 + index
        const request = createInvite(owner, guild.textChannel, { max_uses: 1, max_age: maxAge })
        const answer = await send(url, request).catch((error: unknown) => void error)
        all.push({ maxAge, answer })
        if (answer?.status !== 200) return all
        progress.answers += 1
      }
    }

    it('a Gateway sends its clients elsewhere, with op 7 and close code 4000', async () => {
      const [client] = sessions
      if (!client) throw new Error('There is no session')
      await end(oldest('gateway'))
      expect((await client.closed).code).toBe(4000)
      expect(client.payloads.map(({ op }) => op)).toContain(7)
      // The session heard everything that happened before its end: the next session begins with the state after that.
      const facts = happened(witness, await wholeHistory(on().store))
      const said = heard([client])
      expect(said).toEqual(facts.slice(0, said.length))
      const again = await listenAt(oldest('gateway').url, witness)
      again.close()
    })

    it(`a projector hands over within ${handOver_ms_max} ms`, async () => {
      const [leader] = await leadersOf(on().cluster.running('projector'))
      if (!leader) throw new Error('No projector leads')
      const began = performance.now()
      await Promise.all([end(leader), nextLeader(leader)])
      expect(performance.now() - began).toBeLessThan(paced(stop_ms_max))
      expect(load.silence_ms, 'the longest time without an answer').toBeLessThan(paced(handOver_ms_max))
    })

    async function nextLeader(previous: ProductProcess): Promise<void> {
      const others = on()
        .cluster.running('projector')
        .filter(({ pid }) => pid !== previous.pid)
      await expect.poll(async () => (await leadersOf(others)).length).toBe(1)
    }

    it('a worker hands its work over to the other', async () => {
      await end(oldest('worker'))
      expect(on().cluster.running('worker')).toHaveLength(1)
    })

    it('in all of this no accepted request is lost, and none is applied twice', async () => {
      await load.pause()
      const { entries } = load.traffic.ledger
      const { store, errors } = on()
      const { left } = await finishedSteps(store, patience_ms)
      const events = await wholeHistory(store)
      const facts = factsOf(events)
      const { lost, repeated, unexpected } = compareWithHistory(entries, facts)
      const divergent = await divergentRows(store)
      const told = happened(witness, events)
      const whole = sessions.slice(1)
      await expect.poll(() => heard(whole).length).toBeGreaterThanOrEqual(told.length)
      const wrong = misheard(heard(whole), told)
      const effects = ({ maxAge }: Sent): number => facts.codes.get(String(maxAge))?.length ?? 0
      const forgotten = sent.filter((request) => request.answer?.status === 200 && effects(request) !== 1)
      const unsaid = sent.filter((request) => request.answer?.status !== 200 && effects(request) > 0)
      noteFault('F27', {
        title: 'SIGTERM of each role under load',
        runs: stops,
        lost: lost.length + forgotten.length + wrong.lost.length,
        repeated: repeated.length + wrong.repeated.length,
        reordered: wrong.reordered.length,
        divergent: divergent.length,
        stuck_s: load.silence_ms / 1000,
        note: `${entries.length + sent.length} commands; the slowest drained in ${Math.round(slowest_ms)} ms`,
      })
      expect({ seed, lost, repeated, unexpected, divergent, left, wrong, forgotten, unsaid }).toEqual({
        seed,
        ...nothingWrong,
        forgotten: [],
        unsaid: [],
      })
      expect(errors).toEqual([])
      await load.end()
    })
  })
}
