import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leadersOf } from '../../support/cluster/metrics.ts'
import { isLong } from '../../support/fault-table.ts'
import { call, createGuild, getGuild, register, type Person } from '../../support/load-api.ts'
import type { ProductProcess } from '../../support/product-process.ts'
import { paced } from '../../support/pace.ts'
import type { OnStage } from './cluster-stage.ts'

const kills = isLong ? 3 : 1
/** The issue allows this time between a projector's death and the first new write that everybody reads. */
const handOver_ms_max = 3000
/** The longest delay that a hung projector may cause. */
const hungHandOver_ms_max = 10_000

export function projectorsHandOver(on: OnStage): void {
  describe('two projectors', () => {
    let owner: Person
    const took_ms: number[] = []

    beforeAll(async () => {
      await on().atLeast('projector', 2)
      owner = await call(on().urlOf('api'), register('owner'))
    })

    afterAll(() => {
      const all = took_ms.map((ms) => `${Math.round(ms)} ms`).join(', ')
      process.stdout.write(`From SIGKILL of the leading projector to the first new write that is read: ${all}\n`)
    })

    async function leader(): Promise<ProductProcess> {
      await expect.poll(async () => (await leadersOf(on().cluster.running('projector'))).length).toBe(1)
      const [leading] = await leadersOf(on().cluster.running('projector'))
      if (!leading) throw new Error('No projector leads')
      return leading
    }

    it('have one that projects, and one that stands by', async () => {
      const leading = await leader()
      for (let asked = 0; asked < 5; asked += 1)
        expect((await leadersOf(on().cluster.running('projector'))).map(({ pid }) => pid)).toEqual([leading.pid])
      expect(on().cluster.running('projector')).toHaveLength(2)
    })

    it(`hand over within ${handOver_ms_max} ms when the one that projects is killed`, async () => {
      for (let kill = 0; kill < kills; kill += 1) {
        const victim = await leader()
        const began = performance.now()
        victim.signal('SIGKILL')
        // The answer waits until the read models contain the write, so a read sees it.
        const { id } = await call(on().urlOf('api'), createGuild(owner, `Written after death ${kill}`))
        await call(on().urlOf('api'), getGuild(owner, id))
        took_ms.push(performance.now() - began)
        expect((await leader()).pid).not.toBe(victim.pid)
        await on().cluster.add('projector')
      }
      expect(Math.max(...took_ms)).toBeLessThan(paced(handOver_ms_max))
    })

    it(`hand over within ${hungHandOver_ms_max} ms when the one that projects hangs, which writes nothing once it goes on`, async () => {
      const hung = await leader()
      hung.signal('SIGSTOP')
      try {
        const began = performance.now()
        const { id } = await call(on().urlOf('api'), createGuild(owner, 'Written while one hangs'))
        await call(on().urlOf('api'), getGuild(owner, id))
        expect(performance.now() - began).toBeLessThan(paced(hungHandOver_ms_max))
      } finally {
        hung.signal('SIGCONT')
      }
      const { id } = await call(on().urlOf('api'), createGuild(owner, 'Written after it went on'))
      await call(on().urlOf('api'), getGuild(owner, id))
      expect((await leader()).pid).not.toBe(hung.pid)
      // It stands by, and takes over when it is its turn again.
      const other = await leader()
      other.signal('SIGKILL')
      const last = await call(on().urlOf('api'), createGuild(owner, 'Written by the one that had hung'))
      await call(on().urlOf('api'), getGuild(owner, last.id))
      expect((await leader()).pid).toBe(hung.pid)
    })
  })
}
