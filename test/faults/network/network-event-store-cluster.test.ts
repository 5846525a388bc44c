import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closingList } from '../../../process/closing-list.ts'
import { roles } from '../../../process/roles/role.ts'
import { openStore, type Store } from '../../../process/store.ts'
import { startCluster, type Cluster } from '../../support/cluster/start-cluster.ts'
import { startClusterDouble, type ClusterDouble } from '../../support/eventstoredb-double/cluster.ts'
import { createInvite, currentUser, send } from '../../support/load-api.ts'
import { natsIsMissing, natsSuite } from '../../support/nats-server.ts'
import { laidDatabase } from '../../support/test-database.ts'
import { printedSeed } from './network-stage.ts'
import { noteFindings, nothingWrong, productFindings } from './product-findings.ts'
import { watchedGuilds, type WatchedGuilds } from './watched-guilds.ts'
import { paced } from '../../support/pace.ts'

/** Counted from the election of the next leader. */
const leaderless_ms_max = 5000
/** Counted from when the other nodes agree on another leader. */
const hung_ms_max = 10_000
const writesRefused = 5
/** A few keep writing: what is offered to a cluster without a leader comes from the test. */
const writers = 3
const alone_ms = 1000

describe.skipIf(natsIsMissing)(natsSuite('A cluster of EventStoreDB in trouble, below the roles as processes'), () => {
  const seed = printedSeed('A cluster of EventStoreDB in trouble')
  const closings = closingList()
  const errors: unknown[] = []
  let nodes: ClusterDouble
  let cluster: Cluster
  let store: Store
  let guilds: WatchedGuilds
  let pids: readonly number[]
  const runningPids = (): readonly number[] => roles.flatMap((role) => cluster.running(role).map(({ pid }) => pid))
  const apiUrl = (): string => cluster.running('api')[0]?.url ?? ''

  beforeAll(async () => {
    nodes = await startClusterDouble(3)
    closings.add(() => nodes.close())
    cluster = await startCluster({
      apis: 1,
      gateways: 1,
      projectors: 1,
      workers: 1,
      eventStore: 'postgres',
      database: laidDatabase,
      environment: { EVENTSTORE_URL: nodes.url },
    })
    closings.add(() => cluster.close())
    store = await open()
    closings.add(() => store.close())
    const gatewayUrl = (): string => cluster.running('gateway')[0]?.url ?? ''
    guilds = await watchedGuilds({ apiUrl, gatewayUrl, store }, { seed, writers })
    closings.add(async () => guilds.close())
    pids = runningPids()
  })
  afterAll(() => closings.close())

  const open = (): Promise<Store> => {
    const { connection, personalDataKey } = cluster
    const onError = (error: unknown): void => void errors.push(error)
    return openStore({ connection, personalDataKey, eventStoreUrl: nodes.url, onError })
  }

  /** Sends writes now and returns their statuses once all are answered. Reads must succeed meanwhile. */
  async function offeredWrites(): Promise<readonly number[]> {
    const { owner, guild } = guilds
    const offers = Array.from({ length: writesRefused }, (_, index) =>
      send(apiUrl(), createInvite(owner, guild.textChannel, { max_uses: 1, max_age: 90_000 + index }), randomUUID()),
    )
    const answered = Promise.all(offers)
    let isAnswered = false
    const waiting = answered.finally(() => (isAnswered = true))
    while (!isAnswered) {
      expect((await send(apiUrl(), currentUser(owner))).status).toBe(200)
      await sleep(100)
    }
    return (await waiting).map(({ status }) => status)
  }

  /** Compares everything with what clients were told, and adds the row. */
  async function noteRow(row: string, title: string, runs: number, recovered_ms: number): Promise<void> {
    await guilds.rest()
    await guilds.mark()
    const found = await productFindings(guilds, store)
    const note = `${pids.length - runningPids().length} of ${pids.length} processes ended`
    noteFindings(row, { title, runs, recovered_ms, note }, found)
    expect(runningPids()).toEqual(pids)
    expect(found.extent.facts).toBeGreaterThan(5)
    expect(found.findings).toEqual(nothingWrong)
  }

  it('F39: without a leader refuses writes, serves reads, ends no process, and accepts writes within 5 s of the next leader', async () => {
    const [first, second] = nodes.nodes
    const recovered_ms: number[] = []
    guilds.write()
    await sleep(300)
    for (const leader of [1, 2]) {
      await Promise.all([first?.stop(), second?.stop()])
      const offered = offeredWrites()
      // The third node needs some time to notice that it is alone.
      await sleep(alone_ms)
      nodes.elect(undefined)
      expect(await offered).toEqual(Array.from({ length: writesRefused }, () => 503))
      await Promise.all([first?.start(), second?.start()])
      nodes.elect(leader)
      recovered_ms.push(await guilds.mark())
    }
    await noteRow('F39', 'two of three event store nodes killed', 2, Math.max(...recovered_ms))
    expect(Math.max(...recovered_ms)).toBeLessThan(paced(leaderless_ms_max))
  })

  it('F40: with a hung leader node moves to the next leader, also for new connections', async () => {
    nodes.elect(0)
    await guilds.mark()
    guilds.write()
    await sleep(300)
    nodes.nodes[0]?.hang()
    await sleep(3000)
    nodes.elect(1)
    const recovered_ms = await guilds.mark()
    const beside = await open()
    expect(await beside.events.end()).toBeGreaterThan(0n)
    await beside.close()
    nodes.nodes[0]?.goOn()
    await noteRow('F40', 'leading event store node hung', 1, recovered_ms)
    expect(recovered_ms).toBeLessThan(paced(hung_ms_max))
  })
})
