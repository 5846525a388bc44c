import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { closingList } from '../../../process/closing-list.ts'
import { openStore, type Store } from '../../../process/store.ts'
import { startCluster, type Cluster } from '../../support/cluster/start-cluster.ts'
import { isLong, noteFault } from '../../support/fault-table.ts'
import { natsIsMissing, natsSuite } from '../../support/nats-server.ts'
import { laidDatabase } from '../../support/test-database.ts'
import { noHearingFaults, type HearingFaults } from '../network/watched-facts.ts'
import { openCrowd, type Crowd } from './crowd.ts'
import { paced } from '../../support/pace.ts'

const sessions = isLong ? 5000 : 150
/** Longer than presence stays valid; in the long run longer than a heartbeat may be late. */
const stall_ms = isLong ? 60_000 : 5000
/** Counted from when the new process is ready. */
const stale_ms_max = 30_000

vi.setConfig({ testTimeout: isLong ? 900_000 : 600_000, hookTimeout: 300_000 })

describe.skipIf(natsIsMissing)(natsSuite(`A Gateway with ${sessions} sessions`), () => {
  const closings = closingList()
  let cluster: Cluster
  let store: Store
  let crowd: Crowd

  beforeAll(async () => {
    cluster = await startCluster({
      apis: 1,
      gateways: 1,
      projectors: 1,
      workers: 0,
      eventStore: 'postgres',
      database: laidDatabase,
    })
    closings.add(() => cluster.close())
    const { connection, personalDataKey } = cluster
    store = await openStore({ connection, personalDataKey, onError: () => undefined })
    closings.add(() => store.close())
    const urlOf = (role: 'api' | 'gateway'): string => cluster.running(role)[0]?.url ?? 'http://127.0.0.1:1'
    crowd = await openCrowd({ apiUrl: () => urlOf('api'), gatewayUrl: () => urlOf('gateway'), store }, sessions)
    closings.add(async () => crowd.close())
  })
  afterAll(() => closings.close())

  const lives = (): readonly number[] => crowd.sessions.map((session) => session.lives.length)
  const resumes = (): number => crowd.sessions.reduce((sum, session) => sum + session.resumes, 0)

  function note(row: string, title: string, found: HearingFaults, stale: number, stuck_ms: number, more: string): void {
    noteFault(row, {
      title,
      runs: 1,
      lost: found.lost,
      repeated: found.repeated + found.unknown,
      reordered: found.reordered + found.misnumbered,
      divergent: stale,
      stuck_s: stuck_ms / 1000,
      note: `${sessions} sessions; ${more}`,
    })
  }

  it('F18: that hangs for a while ends no session for a heartbeat that it did not hear, and sends everything afterwards', async () => {
    const [gateway] = cluster.running('gateway')
    const [livesBefore, resumesBefore] = [lives(), resumes()]
    await crowd.tell()
    gateway?.signal('SIGSTOP')
    const telling = crowd.tell()
    await sleep(stall_ms)
    const began = performance.now()
    gateway?.signal('SIGCONT')
    await telling
    const stuck_ms = performance.now() - began
    await crowd.tell()
    const found = await crowd.faults()
    const ended = lives().filter((count, index) => count !== livesBefore[index]).length + resumes() - resumesBefore
    note('F18', `Gateway stands still ${stall_ms / 1000} s`, found, crowd.stale(), stuck_ms, `${ended} ended`)
    expect(ended).toBe(0)
    expect(found).toEqual(noHearingFaults)
    expect(stuck_ms).toBeLessThan(paced(stale_ms_max))
  })

  it('F6: that is killed leaves no session stale: each starts again at the next Gateway', async () => {
    const before = lives()
    await cluster.running('gateway')[0]?.kill('SIGKILL')
    await cluster.add('gateway')
    const began = performance.now()
    const begunAnew = (): number => lives().filter((count, index) => count > (before[index] ?? 0)).length
    await expect.poll(begunAnew, { timeout: paced(stale_ms_max) }).toBe(sessions)
    await crowd.tell()
    const stuck_ms = performance.now() - began
    const anew = begunAnew()
    await crowd.tell()
    const found = await crowd.faults()
    note('F6', 'Gateway killed with its sessions', found, crowd.stale(), stuck_ms, `${anew} began anew`)
    expect(anew).toBe(sessions)
    expect(crowd.stale()).toBe(0)
    expect(found).toEqual(noHearingFaults)
    expect(stuck_ms).toBeLessThan(paced(stale_ms_max))
  })
})
