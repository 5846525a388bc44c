import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../adapters/postgres/database.ts'
import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import type { Position } from '../../../domain/kernel/position.ts'
import { openStore, type Store } from '../../../process/store.ts'
import { readModels } from '../../../projections/read-models.ts'
import { CheckpointsMoved, Leader } from '../../../projections/runner/leader.ts'
import { liveCheckpoints, setUpRegistry } from '../../../projections/runner/registry.ts'
import { created, joined, left } from '../../projections/support/people.ts'
import { isLong, noteFault } from '../../support/fault-table.ts'
import { chance, type Chance, faultsSeed } from '../../support/load-random.ts'
import { testDatabase, type TestDatabase } from '../../support/test-database.ts'
import { appendEventsTo } from '../append-events.ts'
import { divergentRows } from '../store-checks.ts'
import { paced, patience_ms } from '../../support/pace.ts'

const rounds = isLong ? 800 : 60
const rounds_max = 1500
const writers = 4
const test_ms_max = isLong ? 1_200_000 : 600_000
const stuck_s_max = 5
/** Publishing one in this many batches waits until the other projector has published one. */
const slowBatches = 4
const slowBatch_ms_max = 5000

/** A projector that leads without the lock, as if the lock had failed or somebody had started a second copy. */
interface Usurper {
  /** The positions that it published, in its order. */
  readonly published: readonly Position[]
  /** How often it found that another projector had moved the checkpoints. */
  readonly stops: number
  readonly errors: readonly unknown[]
  stop(): Promise<void>
}

/** The state that both share while events are appended. */
interface Contest {
  isOn: boolean
  readonly published: Position[][]
}

describe('two projectors that both believe they lead', () => {
  let test: TestDatabase
  let store: Store

  beforeEach(async () => {
    test = await testDatabase()
    store = await openStore({ connection: test.connection, personalDataKey: randomBytes(32), onError: () => undefined })
    const client = await test.database.pool.connect()
    await setUpRegistry(client, readModels)
    client.release()
  })

  afterEach(async () => {
    await store.close()
    await test.close()
  })

  it(
    'apply no event twice and publish each once: for each batch one wins, and the other stops',
    async () => {
      const seed = faultsSeed()
      const random = chance(seed)
      const contest: Contest = { isOn: true, published: [] }
      const open = (label: number): Promise<Usurper> => usurper(test, store, random.fork(label), contest)
      const both = [await open(1), await open(2)]
      const append = appendEventsTo(store.events)
      const haveMet = (): boolean => both.every((one) => one.published.length > 0 && one.stops > 0)
      let round = 0
      for (; round < rounds || (!haveMet() && round < rounds_max); round += 1) {
        const first = round * writers
        await Promise.all(
          Array.from({ length: writers }, async (_none, writer) => {
            const number = first + writer
            await append(created(number), joined(number, 1), joined(number, 2), left(number, 1))
          }),
        )
      }
      contest.isOn = false
      const began = performance.now()
      await level(store)
      const stuck_s = (performance.now() - began) / 1000
      for (const one of both) await one.stop()
      const divergent = (await divergentRows(store)).length
      const published = both.flatMap((one) => one.published)
      const found = {
        lost: (await countOf(store)) - new Set(published).size,
        repeated: published.length - new Set(published).size,
        reordered: both.reduce((sum, one) => sum + inversions(one.published), 0),
        divergent,
      }
      const stops = both.map((one) => one.stops)
      const note = `stopped by a checkpoint ${stops.join(' and ')} times; FAULTS_SEED=${seed}`
      noteFault('F4', { title: 'Two projectors by mistake', runs: round, ...found, stuck_s, note })
      expect(found).toStrictEqual({ lost: 0, repeated: 0, reordered: 0, divergent: 0 })
      expect(both.flatMap(({ errors }) => errors)).toStrictEqual([])
      expect(haveMet(), 'both have won batches and lost some: else this would show nothing').toBe(true)
      expect(stuck_s).toBeLessThan(paced(stuck_s_max))
    },
    test_ms_max,
  )
})

async function usurper({ connection }: TestDatabase, store: Store, random: Chance, contest: Contest): Promise<Usurper> {
  const own = openDatabase(connection, { customPlans: true, holdsLocks: true })
  const client: pg.PoolClient = await own.pool.connect()
  const stopping = new AbortController()
  const published: Position[] = []
  contest.published.push(published)
  const errors: unknown[] = []
  let stops = 0
  const leader = new Leader({
    store: store.events,
    projections: readModels,
    history: await store.events.end(),
    async onCommitted(events: readonly RecordedEvent[]) {
      published.push(...events.map(({ position }) => position))
      // The publishing is slow now and then, so that the other projector wins too.
      if (random.between(1, slowBatches) === 1) await othersTurn(contest, published)
    },
    onPosition: () => undefined,
    onLate: () => undefined,
    onError: (error) => errors.push(error),
  })
  async function lead(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await leader.lead(client, stopping.signal)
      } catch (error) {
        if (!(error instanceof CheckpointsMoved)) throw error
        stops += 1
      }
    }
  }
  const ended = lead().catch((error: unknown) => errors.push(error))
  return {
    published,
    errors,
    get stops() {
      return stops
    },
    async stop() {
      stopping.abort()
      await ended
      client.release()
      await own.close()
    },
  }
}

/** Waits until the other projector has published more. The bound ends the wait if nothing is left to publish. */
async function othersTurn(contest: Contest, own: readonly Position[]): Promise<void> {
  const ofOthers = (): number => contest.published.filter((one) => one !== own).flat().length
  const [before, deadline] = [ofOthers(), performance.now() + slowBatch_ms_max]
  while (contest.isOn && ofOthers() === before && performance.now() < deadline) await sleep(5)
}

async function level({ database, events }: Store): Promise<void> {
  const end = await events.end()
  await expect
    .poll(async () => new Set((await liveCheckpoints(database.pool)).map(({ position }) => position)), {
      timeout: patience_ms,
      interval: 10,
    })
    .toStrictEqual(new Set([end]))
}

async function countOf({ events }: Store): Promise<number> {
  let count = 0
  for await (const page of events.readAll(-1n)) count += page.length
  return count
}

const inversions = (positions: readonly Position[]): number =>
  positions.filter((position, index) => index > 0 && position <= (positions[index - 1] ?? -1n)).length
