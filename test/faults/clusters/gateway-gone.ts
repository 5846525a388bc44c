import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLong, noteFault } from '../../support/fault-table.ts'
import { noHearingFaults, type HearingFaults } from '../network/watched-facts.ts'
import { openCrowd, type Crowd } from '../sessions/crowd.ts'
import { paced } from '../../support/pace.ts'
import type { OnStage } from './cluster-stage.ts'

const sessions = isLong ? 5000 : 150
/** Longer than presence stays valid; in the long run longer than a heartbeat may be late. */
const stall_ms = isLong ? 60_000 : 5000
/** Counted from when the new process is ready. */
const stale_ms_max = 30_000

export function gatewayGone(on: OnStage): void {
  describe(`A Gateway with ${sessions} sessions`, () => {
    let crowd: Crowd

    beforeAll(async () => {
      const { store, urlOf } = on()
      crowd = await openCrowd({ apiUrl: () => urlOf('api'), gatewayUrl: () => urlOf('gateway'), store }, sessions)
    })
    afterAll(() => crowd.close())

    const lives = (): readonly number[] => crowd.sessions.map((session) => session.lives.length)
    const resumes = (): number => crowd.sessions.reduce((sum, session) => sum + session.resumes, 0)

    function note(
      row: string,
      title: string,
      found: HearingFaults,
      stale: number,
      stuck_ms: number,
      more: string,
    ): void {
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
      const [gateway] = on().cluster.running('gateway')
      const [livesBefore, resumesBefore] = [lives(), resumes()]
      await crowd.tell()
      gateway?.signal('SIGSTOP')
      const audience = crowd.tell()
      await sleep(stall_ms)
      const began = performance.now()
      gateway?.signal('SIGCONT')
      await audience
      const stuck_ms = performance.now() - began
      await crowd.tell()
      const found = await crowd.faults()
      const ended = lives().filter((count, index) => count !== livesBefore[index]).length + resumes() - resumesBefore
      note('F18', `Gateway stands still ${stall_ms / 1000} s`, found, crowd.stale(), stuck_ms, `${ended} ended`)
      expect(ended).toBe(0)
      expect(found).toEqual(noHearingFaults)
      expect(stuck_ms).toBeLessThan(paced(stale_ms_max))
    }, 900_000)

    it('F6: that is killed leaves no session stale: each starts again at the next Gateway', async () => {
      const before = lives()
      await on().cluster.running('gateway')[0]?.kill('SIGKILL')
      await on().cluster.add('gateway')
      const began = performance.now()
      const begunAnew = (): number => lives().filter((count, index) => count > (before[index] ?? 0)).length
      await expect.poll(begunAnew).toBe(sessions)
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
    }, 900_000)
  })
}
