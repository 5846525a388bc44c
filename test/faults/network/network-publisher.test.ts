import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { closingList } from '../../../process/closing-list.ts'
import { openStore, type Store } from '../../../process/store.ts'
import { startCluster, type Cluster } from '../../support/cluster/start-cluster.ts'
import { isLong } from '../../support/fault-table.ts'
import { chance } from '../../support/load-random.ts'
import { natsIsMissing, natsSuite } from '../../support/nats-server.ts'
import { laidDatabase } from '../../support/test-database.ts'
import { printedSeed } from './network-stage.ts'
import { noteFindings, nothingWrong, productFindings } from './product-findings.ts'
import { watchedGuilds, type WatchedGuilds } from './watched-guilds.ts'
import { paced } from '../../support/pace.ts'

const kills = isLong ? 40 : 4
/** How long each process lives after a session has heard a mark. */
const life_ms = { min: 0, max: 600 }
/** Somebody has to write while a process is killed and the next one starts. */
const writers = isLong ? 6 : 3
/** Counted from the ready line of the next process. */
const recovery_ms_max = 5000

vi.setConfig({ testTimeout: isLong ? 900_000 : 90_000 })

describe.skipIf(natsIsMissing)(natsSuite('F5: the process that projects and publishes, killed in a loop'), () => {
  const seed = printedSeed('F5')
  const errors: unknown[] = []
  const closings = closingList()
  let cluster: Cluster
  let store: Store
  let guilds: WatchedGuilds
  beforeAll(async () => {
    cluster = await startCluster({
      apis: 1,
      gateways: 1,
      projectors: 1,
      workers: 0,
      eventStore: 'eventstoredb',
      database: laidDatabase,
    })
    closings.add(() => cluster.close())
    const { connection, personalDataKey, eventStore } = cluster
    const onError = (error: unknown): void => void errors.push(error)
    store = await openStore({ connection, personalDataKey, eventStoreUrl: eventStore?.url, onError })
    closings.add(() => store.close())
    const urlOf = (role: 'api' | 'gateway') => (): string => cluster.running(role)[0]?.url ?? ''
    guilds = await watchedGuilds({ apiUrl: urlOf('api'), gatewayUrl: urlOf('gateway'), store }, { seed, writers })
    closings.add(async () => guilds.close())
  })
  afterAll(() => closings.close())

  it('has every Gateway session hear each event once, in order', async () => {
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
    noteFindings('F5', { title: 'projector and publisher killed', runs: kills, recovered_ms: longest_ms, note }, found)
    expect(found.extent.facts).toBeGreaterThan(5)
    expect(found.findings).toEqual(nothingWrong)
    expect(errors).toEqual([])
    expect(longest_ms - Math.max(...ready_ms)).toBeLessThan(paced(recovery_ms_max))
  })
})
