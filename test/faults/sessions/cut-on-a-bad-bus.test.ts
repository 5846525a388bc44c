import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { closingList } from '../../../process/closing-list.ts'
import { isLong, noteFault } from '../../support/fault-table.ts'
import { chance } from '../../support/load-random.ts'
import { spoiledIn, startNatsProxy, type DeliveryFault, type NatsProxy } from '../../support/nats-proxy/nats-proxy.ts'
import { natsIsMissing, natsSuite, startNatsServer } from '../../support/nats-server.ts'
import { startTestGuildhall } from '../../support/test-guildhall.ts'
import { printedSeed } from '../network/network-stage.ts'
import { noHearingFaults } from '../network/watched-facts.ts'
import { openCrowd, type Crowd } from './crowd.ts'

const sessions = isLong ? 500 : 60
/** A guild of 250 members sends joins only to sessions that ask for them: the rows together stay below. */
const tells = isLong ? { min: 40, max: 70 } : { min: 3, max: 20 }
/** Messages are spoiled at random: among few of them there may be none. */
const spoiled_min = 4
const cutEvery_ms = 5

vi.setConfig({ testTimeout: isLong ? 900_000 : 600_000 })

describe.skipIf(natsIsMissing)(natsSuite('Sessions that are cut at random while NATS spoils what it carries'), () => {
  const closings = closingList()
  const random = chance(printedSeed('Sessions cut on a bad bus'))
  let proxy: NatsProxy
  let crowd: Crowd

  beforeAll(async () => {
    const server = await startNatsServer()
    closings.add(() => server.stop())
    proxy = await startNatsProxy(Number(new URL(server.url).port), 1)
    closings.add(() => proxy.close())
    const guildhall = await startTestGuildhall({ natsServers: [proxy.url] })
    closings.add(() => guildhall.close())
    const place = { apiUrl: () => guildhall.url, gatewayUrl: () => guildhall.url, store: guildhall.store }
    crowd = await openCrowd(place, sessions)
    closings.add(async () => crowd.close())
  })
  afterAll(() => closings.close())

  const spoiled = (): number => spoiledIn(proxy.counts)
  const resumes = (): number => crowd.sessions.reduce((sum, session) => sum + session.resumes, 0)

  /** Cuts one session after another until `work` ends. Resolves with how many it cut. */
  async function cuttingDuring(work: () => Promise<void>): Promise<number> {
    const state = { isOver: false, cuts: 0 }
    const cutting = (async () => {
      for (; !state.isOver; state.cuts += 1) {
        random.pick(crowd.sessions)?.cut()
        await sleep(cutEvery_ms)
      }
    })()
    try {
      await work()
    } finally {
      state.isOver = true
      await cutting
    }
    return state.cuts
  }

  it.each<readonly [string, string, DeliveryFault]>([
    ['F12b', '5% of messages lost without a trace', { kind: 'lose', percent: 5 }],
    ['F14b', 'every message twice', { kind: 'repeat' }],
    ['F15b', 'all neighbours swapped', { kind: 'swap', percent: 100 }],
  ])('%s: %s: each hears everything once and in order', async (row, title, fault) => {
    const before = { spoiled: spoiled(), resumes: resumes() }
    const took_ms: number[] = []
    proxy.fault(fault, { isTraceless: true })
    const cuts = await cuttingDuring(async () => {
      while (took_ms.length < tells.min || (spoiled() - before.spoiled < spoiled_min && took_ms.length < tells.max))
        took_ms.push(await crowd.tell())
    })
    proxy.fault({ kind: 'none' })
    took_ms.push(await crowd.tell())
    const faults = await crowd.faults()
    noteFault(row, {
      title: `${title}, and sessions cut`,
      runs: cuts,
      lost: faults.lost,
      repeated: faults.repeated + faults.unknown,
      reordered: faults.reordered + faults.misnumbered,
      divergent: crowd.stale(),
      stuck_s: Math.max(...took_ms) / 1000,
      note: `${sessions} sessions, ${resumes() - before.resumes} resumes, ${spoiled() - before.spoiled} messages spoiled`,
    })
    expect(faults).toEqual(noHearingFaults)
    expect(spoiled() - before.spoiled).toBeGreaterThanOrEqual(spoiled_min)
    expect(resumes() - before.resumes).toBeGreaterThan(0)
    // What they missed was kept: none had to begin anew.
    expect(crowd.sessions.map(({ lives }) => lives.length)).toEqual(crowd.sessions.map(() => 1))
  })
})
