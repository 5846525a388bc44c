import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLong } from '../../support/fault-table.ts'
import { chance } from '../../support/load-random.ts'
import { noteFindings, nothingWrong, productFindings } from '../network/product-findings.ts'
import { paced } from '../../support/pace.ts'
import { watchedGuilds, type WatchedGuilds } from '../network/watched-guilds.ts'
import type { OnStage } from './cluster-stage.ts'

const kills = isLong ? 40 : 4
/** How long each process lives after a session has heard a mark. */
const life_ms = { min: 0, max: 600 }
/** Somebody has to write while a process is killed and the next one starts. */
const writers = isLong ? 6 : 3
/** Counted from the ready line of the next process. */
const recovery_ms_max = 5000

export function publisherKilled(on: OnStage, seed: number): void {
  describe('F5: the process that projects and publishes, killed in a loop', () => {
    let guilds: WatchedGuilds
    beforeAll(async () => {
      const { store, urlOf } = on()
      const place = { apiUrl: () => urlOf('api'), gatewayUrl: () => urlOf('gateway'), store }
      guilds = await watchedGuilds(place, { seed, writers })
    })
    afterAll(() => guilds.close())

    it('has every Gateway session hear each event once, in order', async () => {
      const { cluster, store, errors } = on()
      const random = chance(seed)
      const ready_ms: number[] = []
      const recovered_ms: number[] = []
      guilds.write()
      for (let kill = 0; kill < kills; kill += 1) {
        await sleep(random.between(life_ms.min, life_ms.max))
        const killed = performance.now()
        await Promise.all(cluster.running('projector').map((projector) => projector.kill('SIGKILL')))
        await cluster.add('projector')
        ready_ms.push(performance.now() - killed)
        await guilds.mark()
        recovered_ms.push(performance.now() - killed)
      }
      await guilds.rest()
      await guilds.mark()
      const found = await productFindings(guilds, store)
      const longest_ms = Math.max(...recovered_ms)
      const note = `of that ${(Math.max(...ready_ms) / 1000).toFixed(2)} s to start the process`
      noteFindings(
        'F5',
        { title: 'projector and publisher killed', runs: kills, recovered_ms: longest_ms, note },
        found,
      )
      expect(found.extent.facts).toBeGreaterThan(5)
      expect(found.findings).toEqual(nothingWrong)
      expect(errors).toEqual([])
      expect(longest_ms - Math.max(...ready_ms)).toBeLessThan(paced(recovery_ms_max))
    }, 900_000)
  })
}
