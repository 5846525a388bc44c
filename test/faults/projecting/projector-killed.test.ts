import { randomBytes } from 'node:crypto'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { positionHeader } from '../../../adapters/bus/nats/event-message.ts'
import { streamName } from '../../../adapters/bus/nats/subjects.ts'
import type { Position } from '../../../domain/kernel/position.ts'
import { openStore, type Store } from '../../../process/store.ts'
import type { Failpoint } from '../../../projections/runner/leader.ts'
import { liveCheckpoints } from '../../../projections/runner/registry.ts'
import { account, after, created, guild, joined, left } from '../../projections/support/people.ts'
import { until, type AnyEvent } from '../../projections/support/world.ts'
import { isLong, noteFault } from '../../support/fault-table.ts'
import { natsIsMissing, natsSuite, startNatsServer, type NatsServer } from '../../support/nats-server.ts'
import { laidDatabase, type TestDatabase } from '../../support/test-database.ts'
import { appendEventsTo, type AppendEvents } from '../append-events.ts'
import { divergentRows } from '../store-checks.ts'
import { purchasesAtWork, type PurchasesAtWork } from './purchases-at-work.ts'
import { startProjector, type ProjectorChild, type ProjectorSettings } from './projector-child.ts'
import { paced, patience_ms } from '../../support/pace.ts'

const kills = isLong ? 25 : 2
const writers = 4
const eventsOfWriter = 6
const trafficRounds_max = 200
const test_ms_max = isLong ? 1_200_000 : 600_000
/** Short, because another process stands by. */
const stuck_s_max = 5

const rows = { 'before apply': 'F3a', 'before commit': 'F3b', 'after commit': 'F3c' } as const

describe.skipIf(natsIsMissing !== undefined)(natsSuite('a projector that is killed'), () => {
  let test: TestDatabase
  let nats: NatsServer
  let connection: NatsConnection
  let store: Store
  let append: AppendEvents
  let settings: ProjectorSettings
  let guilds = 0
  let projectors: readonly ProjectorChild[] = []
  let purchases: PurchasesAtWork
  /** The positions that NATS has kept, as far as they were read. */
  const onNats: Position[] = []

  beforeAll(async () => {
    test = await laidDatabase()
    nats = await startNatsServer()
    connection = await connect({ servers: nats.url })
    const key = randomBytes(32)
    store = await openStore({ connection: test.connection, personalDataKey: key, onError: () => undefined })
    append = appendEventsTo(store.events)
    settings = { connection: connectionOf(test), personalDataKey: key.toString('hex'), natsUrl: nats.url }
    projectors = [await startProjector(settings)]
    // The publisher publishes everything from here on: one that never published begins at the end.
    await until(async () => (await published(test)) !== undefined, patience_ms)
    projectors = [...projectors, await startProjector(settings)]
    const { connection: there } = test
    purchases = await purchasesAtWork({ connection: there, personalDataKey: key, natsServers: [nats.url] })
  })

  afterAll(async () => {
    await purchases.close()
    for (const projector of projectors) await projector.kill()
    await connection.close()
    await nats.stop()
    await store.close()
    await test.close()
  })

  /** Appends to several streams at the same time, so that batches hold several events. */
  async function traffic(): Promise<void> {
    await Promise.all([
      purchases.act(),
      ...Array.from({ length: writers }, async () => {
        guilds += 1
        const number = guilds
        await append(created(number))
        for (let index = 1; index < eventsOfWriter; index += 1)
          await append(index % 3 === 0 ? left(number, index - 1) : joined(number, index))
        await append(listed(number), ...(number % 2 === 0 ? [withdrawn(number)] : []))
      }),
    ])
  }

  /** Makes the leading process kill itself under load; returns how long the read models then took to catch up. */
  async function killLeader(point: Failpoint, atBatch: number): Promise<number> {
    const leader = projectors.find(({ isLeading }) => isLeading)
    if (!leader) throw new Error('Nobody leads')
    leader.die({ point, atBatch })
    const caughtUp = leader.ended.then(() => caughtUpAfter(performance.now(), store))
    for (let round = 0; round < trafficRounds_max && leader.isRunning; round += 1) await traffic()
    const { signal, said } = await leader.ended
    if (signal !== 'SIGKILL') throw new Error(`The projector ended otherwise: ${said}`)
    return caughtUp
  }

  for (const point of ['before apply', 'before commit', 'after commit'] as const satisfies readonly Failpoint[]) {
    it(
      `${point} leaves rows that equal a rebuild, exact checkpoints, and every event published`,
      async () => {
        let [divergent, stuck_s] = [0, 0]
        const bought = { lost: 0, repeated: 0 }
        for (let kill = 1; kill <= kills; kill += 1) {
          stuck_s = Math.max(stuck_s, await killLeader(point, kill))
          const { lost, repeated } = await purchases.findings()
          bought.lost += lost
          bought.repeated += repeated
          await level(store)
          // What a kill leaves behind stays: in the short run, one comparison shows what both have left.
          if (isLong || kill === kills) divergent += (await divergentRows(store)).length
          projectors = [...projectors.filter(({ isRunning }) => isRunning), await startProjector(settings)]
        }
        const end = await store.events.end()
        await expect.poll(() => published(test)).toSatisfy((at) => at >= end)
        await readFurther(connection, onNats)
        const onBus = upTo(end, onNats)
        const told = compare(upTo(end, await positionsOf(store)), onBus)
        const found = { ...told, lost: told.lost + bought.lost, repeated: told.repeated + bought.repeated, divergent }
        const note = `${onBus.length} events on NATS`
        noteFault(rows[point], { title: `Projector killed ${point}`, runs: kills, ...found, stuck_s, note })
        expect(found).toStrictEqual({ lost: 0, repeated: 0, reordered: 0, divergent: 0 })
        expect(stuck_s).toBeLessThan(paced(stuck_s_max))
      },
      test_ms_max,
    )
  }
})

function connectionOf({ connection }: TestDatabase): ProjectorSettings['connection'] {
  const { host = '', port = 0, user = '', password, database = '' } = connection
  return { host, port, user, password: typeof password === 'string' ? password : '', database }
}

/** Waits until every live read model is at the end that the store has now; returns the seconds since then. */
async function caughtUpAfter(began_ms: number, { database, events }: Store): Promise<number> {
  const end = await events.end()
  const behind = async () => (await liveCheckpoints(database.pool)).filter(({ position }) => position < end)
  await expect.poll(behind, { timeout: patience_ms, interval: 10 }).toEqual([])
  return (performance.now() - began_ms) / 1000
}

/** Waits until every live read model is exactly at the end of the store, to which the worker may add. */
async function level({ database, events }: Store): Promise<void> {
  const away = async () => {
    const [live, end] = [await liveCheckpoints(database.pool), await events.end()]
    return live.filter(({ position }) => position !== end)
  }
  await expect.poll(away, { timeout: patience_ms, interval: 10 }).toEqual([])
}

/** The publisher's checkpoint; undefined if it never published. */
async function published({ database: { pool } }: TestDatabase): Promise<Position | undefined> {
  const { rows: there } = await pool.query(`select to_regclass('bus.publisher_checkpoints') is not null as isthere`)
  if (!(there[0] as { readonly isthere: boolean }).isthere) return undefined
  const { rows } = await pool.query<{ position: string }>('select position from bus.publisher_checkpoints')
  return rows[0] && BigInt(rows[0].position)
}

/** Adds the positions that NATS has kept since, in its order. It has kept all from its first message on. */
async function readFurther(connection: NatsConnection, positions: Position[]): Promise<void> {
  const { streams } = await jetstreamManager(connection)
  const { state } = await streams.info(streamName)
  for (let seq = state.first_seq + positions.length; seq <= state.last_seq; seq += 1) {
    const message = await streams.getMessage(streamName, { seq })
    positions.push(BigInt(message?.header.get(positionHeader) ?? ''))
  }
}

async function positionsOf({ events }: Store): Promise<readonly Position[]> {
  const positions: Position[] = []
  for await (const page of events.readAll(-1n)) positions.push(...page.map(({ position }) => position))
  return positions
}

const upTo = (end: Position, positions: readonly Position[]): readonly Position[] =>
  positions.filter((position) => position <= end)

function compare(wanted: readonly Position[], found: readonly Position[]) {
  const there = new Set(found)
  return {
    lost: wanted.filter((position) => !there.has(position)).length,
    repeated: found.length - there.size,
    reordered: found.filter((position, index) => index > 0 && position < (found[index - 1] ?? position)).length,
  }
}

/** A guild that comes into the directory at once. */
function listed(number: number): AnyEvent {
  const listing = { description: 'A place for chess', categoryType: 0, primaryLanguage: 'en-US', customTags: ['chess'] }
  const applied = { guildId: guild(number), decision: 1, appliedBy: account(1), listing, guild: null }
  return { type: 'DiscoveryApplied', data: { ...applied, approvedAtOnce: true, appliedAt: after(1) } } as AnyEvent
}

function withdrawn(number: number): AnyEvent {
  const data = { guildId: guild(number), decision: 2, withdrawnBy: account(1), withdrawnAt: after(2) }
  return { type: 'DiscoveryApplicationWithdrawn', data }
}
