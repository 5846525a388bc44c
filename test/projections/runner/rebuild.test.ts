import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildInto } from '../../../projections/runner/build.ts'
import { rebuild } from '../../../projections/runner/rebuild.ts'
import { ReadModelIsNewer } from '../../../projections/runner/registry.ts'
import { compareSchemas } from '../../../projections/runner/rows/compare.ts'
import { claims, tallies } from '../support/tallies.ts'
import { until, world, type World } from '../support/world.ts'

let the: World

beforeEach(async () => {
  the = await world()
})

afterEach(async () => {
  await the.close()
})

const first = tallies('tallies')
const others = tallies('others')
/** Counts each event as ten, so that a row shows which version wrote it. */
const second = tallies('tallies', 2, 10)

const totals = async (): Promise<{ readonly total: number; readonly events: number }> => {
  const [row] = await the.rows('select sum(total)::int4 as total, sum(events)::int4 as events from tallies.totals')
  return { total: Number(row?.['total']), events: Number(row?.['events']) }
}

const schemas = async (): Promise<readonly unknown[]> => {
  const rows = await the.rows(`select nspname from pg_namespace where nspname ~ '^(tallies|others)' order by nspname`)
  return rows.map(({ nspname }) => nspname)
}

const checkpoints = (): Promise<readonly unknown[]> =>
  the.rows('select schema, version, position::int4 from read_models.checkpoints order by schema')

/** Appends and reads all the time, until it is stopped. */
function traffic(read: () => Promise<void>) {
  let stopped = false
  let appended = 0
  const appending = (async () => {
    while (!stopped) {
      await the.happens(...claims(3, 100_000 + appended))
      appended += 3
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  })()
  const reading = (async () => {
    while (!stopped) await read()
  })()
  return {
    async stop(): Promise<number> {
      stopped = true
      await Promise.all([appending, reading])
      return appended
    },
  }
}

describe('a new version of a read model', () => {
  it('is built beside the serving one, which is still projected, and swapped in without a failed or mixed answer', async () => {
    const old = await the.projector([first, others])
    await old.reached(await the.happens(...claims(3000)))
    let seen = 0
    const running = traffic(async () => {
      // Two tables in one statement, in both orders, and prepared: each connection keeps its plan across the swap.
      const { rows } = await the.database.pool.query({
        name: 'both',
        text: `select (select sum(total) from tallies.totals)::int4 as total, (select sum(events) from tallies.totals)::int4 as events,
          (select count(*) from tallies.claims)::int4 as claims`,
      })
      const { total, events, claims: count } = rows[0]
      expect(count).toBe(events)
      expect([events, events * 10]).toContain(total)
      expect(events).toBeGreaterThanOrEqual(seen)
      seen = events
    })
    const next = await the.projector([second, others])
    await until(() => next.isLeading)
    await new Promise((resolve) => setTimeout(resolve, 100))
    const appended = await running.stop()
    await next.reached(await the.store.end())
    expect(await totals()).toStrictEqual({ total: (3000 + appended) * 10, events: 3000 + appended })
    expect(await schemas()).toStrictEqual(['others', 'tallies'])
    const position = 3000 + appended - 1
    expect(await checkpoints()).toStrictEqual([
      { schema: 'others', version: 1, position },
      { schema: 'tallies', version: 2, position },
    ])
    expect(the.errors).toHaveLength(1)
    expect(the.errors[0]).toBeInstanceOf(ReadModelIsNewer)
    const published = [...old.published, ...next.published].map((event) => Number(event.position))
    expect(published).toStrictEqual(Array.from({ length: position + 1 }, (_, index) => index))
  })

  it('is built when no process of the old version is left, which ends the wait', async () => {
    const old = await the.projector([first, others])
    await old.reached(await the.happens(...claims(100)))
    await old.stop()
    const next = await the.projector([second, others])
    await next.reached(await the.happens(...claims(10, 101)))
    expect(await totals()).toStrictEqual({ total: 1100, events: 110 })
    expect(next.published).toHaveLength(10)
    expect(the.errors).toStrictEqual([])
  })

  it('is built if only tables of the old version exist', async () => {
    const old = await the.projector([first])
    await old.reached(await the.happens(...claims(100)))
    await old.stop()
    await the.happens(...claims(5, 101))
    const next = await the.projector([second])
    await next.reached(await the.happens(...claims(5, 106)))
    expect(await totals()).toStrictEqual({ total: 1100, events: 110 })
    expect(next.published.map(({ position }) => Number(position))).toStrictEqual(
      Array.from({ length: 10 }, (_, index) => 100 + index),
    )
  })

  it('waits for a query that still reads the old tables, and blocks nobody else for long', async () => {
    const old = await the.projector([first, others])
    await old.reached(await the.happens(...claims(10)))
    await old.stop()
    const reader = await the.database.pool.connect()
    await reader.query('begin')
    await reader.query('select * from tallies.totals')
    const next = await the.projector([second, others])
    await until(async () => (await schemas()).includes('tallies__v2'))
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await totals()).toStrictEqual({ total: 10, events: 10 })
    expect((await reader.query('select sum(total)::int4 as total from tallies.totals')).rows).toStrictEqual([
      { total: 10 },
    ])
    await reader.query('commit')
    reader.release()
    await next.reached(await the.happens(...claims(1, 11)))
    expect(await totals()).toStrictEqual({ total: 110, events: 11 })
    expect(the.errors).toStrictEqual([])
  })

  it('is built again from the beginning if the building process died', async () => {
    const old = await the.projector([first, others])
    await old.reached(await the.happens(...claims(10)))
    await old.stop()
    await the.rows(`create schema tallies__v2`)
    await the.rows(`create table tallies__v2.leftover (id int4)`)
    await the.rows(`insert into read_models.checkpoints values ('tallies__v2', 'tallies', 2, 5)`)
    const next = await the.projector([second, others])
    await next.reached(await the.happens(...claims(1, 11)))
    expect(await totals()).toStrictEqual({ total: 110, events: 11 })
    expect(await schemas()).toStrictEqual(['others', 'tallies'])
  })

  it('prevents an older process from starting', async () => {
    const next = await the.projector([second, others])
    await next.reached(await the.happens(...claims(1)))
    await expect(the.projector([first, others])).rejects.toThrow(ReadModelIsNewer)
  })
})

describe('a read model that is new beside others', () => {
  it('has empty tables until it is built, and is projected with the others from then on', async () => {
    const old = await the.projector([others])
    await old.reached(await the.happens(...claims(100)))
    const next = await the.projector([others, first])
    await old.stop()
    await next.reached(await the.happens(...claims(10, 101)))
    expect(await totals()).toStrictEqual({ total: 110, events: 110 })
    expect(await checkpoints()).toStrictEqual([
      { schema: 'others', version: 1, position: 109 },
      { schema: 'tallies', version: 1, position: 109 },
    ])
  })

  it('catches up with the others if it was left behind', async () => {
    const both = await the.projector([others, first])
    await both.reached(await the.happens(...claims(10)))
    await both.stop()
    const one = await the.projector([others])
    await one.reached(await the.happens(...claims(10, 11)))
    await one.stop()
    const again = await the.projector([others, first])
    await again.reached(await the.happens(...claims(10, 21)))
    expect(await totals()).toStrictEqual({ total: 30, events: 30 })
    expect(again.published).toHaveLength(10)
  })
})

describe('a rebuild', () => {
  const signal = new AbortController().signal

  it('replaces wrong rows while a projector runs, without effects', async () => {
    const projector = await the.projector([first, others])
    await projector.reached(await the.happens(...claims(6000)))
    await the.rows(`update tallies.totals set total = 999`)
    const running = traffic(() => totals().then(() => undefined))
    const steps: [bigint, bigint][] = []
    const settings = { pool: the.database.pool, store: the.store, projections: [first, others], signal }
    await rebuild('tallies', { ...settings, onProgress: (position, target) => steps.push([position, target]) })
    const appended = await running.stop()
    await projector.reached(await the.store.end())
    expect(await totals()).toStrictEqual({ total: 6000 + appended, events: 6000 + appended })
    expect(projector.published).toHaveLength(6000 + appended)
    expect(steps.length).toBeGreaterThanOrEqual(2)
    expect(steps.every(([position, target]) => position <= target)).toBe(true)
    expect(the.errors).toStrictEqual([])
  })

  it('needs no projector, and knows its read models', async () => {
    await the.happens(...claims(10))
    const settings = { pool: the.database.pool, store: the.store, projections: [first], signal }
    await rebuild('tallies', settings)
    await expect(rebuild('nothing', settings)).rejects.toThrow('There is no read model nothing')
    const projector = await the.projector([first])
    await projector.reached(await the.happens(...claims(1, 11)))
    expect(await totals()).toStrictEqual({ total: 11, events: 11 })
  })

  it('runs one after the other if two start at the same time', async () => {
    const projector = await the.projector([first, others])
    await projector.reached(await the.happens(...claims(100)))
    const settings = { pool: the.database.pool, store: the.store, projections: [first, others], signal }
    await Promise.all([rebuild('tallies', settings), rebuild('tallies', settings), rebuild('others', settings)])
    await projector.reached(await the.happens(...claims(1, 101)))
    expect(await totals()).toStrictEqual({ total: 101, events: 101 })
  })
})

describe('a replay into scratch tables', () => {
  it('equals the live rows, and shows each row that differs', async () => {
    const projector = await the.projector([first])
    const end = await the.happens(...claims(50))
    await projector.reached(end)
    const client = await the.database.pool.connect()
    const settings = { client, store: the.store, signal: new AbortController().signal }
    await buildInto(settings, 'scratch_', [first], end)
    const compare = () => compareSchemas(client, first, 'tallies', 'scratch_tallies')
    expect(await compare()).toStrictEqual([])
    await the.rows(`update tallies.totals set total = 0 where username = 'user1'`)
    await the.rows(`delete from tallies.claims where discriminator = 2`)
    await the.rows(`insert into tallies.claims values ('eve', 1, 9007199254740993)`)
    const differences = await compare()
    client.release()
    expect(differences).toHaveLength(3)
    expect(differences).toContainEqual({
      table: 'claims',
      left: '{"username": "eve", "account_id": 9007199254740993, "discriminator": 1}',
      right: null,
    })
    expect(differences.map(({ table }) => table).toSorted()).toStrictEqual(['claims', 'claims', 'totals'])
  })
})
