import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { uuid7 } from '../../../application/commands/derive-id.ts'
import type { Position } from '../../../domain/kernel/position.ts'
import { advance } from '../../../projections/runner/apply-events.ts'
import { rebuildBatch_events_max } from '../../../projections/runner/event-batches.ts'
import { groupOf } from '../../../projections/runner/group.ts'
import { parkedStreams_max, StreamParked, TooManyParked } from '../../../projections/runner/parked.ts'
import { rebuildAll } from '../../../projections/runner/rebuild.ts'
import { modelTables } from '../../../projections/runner/registry.ts'
import { verify } from '../../../projections/runner/verify.ts'
import { laxCatalogs } from '../../support/lax-catalogs.ts'
import { claimed, claims, released, tallies } from '../support/tallies.ts'
import { until, world, type World } from '../support/world.ts'

let the: World

beforeEach(async () => {
  the = await world(laxCatalogs)
})

afterEach(async () => {
  await the.close()
})

const projections = [tallies('tallies'), tallies('others')]
const noSignal = new AbortController().signal

/** Appends an event as another program could have, without checking its meaning; returns its position. */
async function poison(username: string, type: string, data: object, schemaVersion = 1): Promise<Position> {
  const { stored, rows } = the.store
  const stream = `handle-${username}`
  const revision = rows.filter((row) => row.stream === stream).length
  const metadata = {
    schemaVersion,
    at: '2026-01-01T00:00:00.000Z',
    actor: { kind: 'system', name: 'test' },
    correlationId: randomUUID(),
    causationId: randomUUID(),
  }
  const eventId = uuid7(Date.now(), randomBytes(10))
  const end = await stored.end()
  return stored.append(end, [{ stream, revision, position: end + 1n, eventId, type, data, metadata }])
}

/** So many events happen that no read model knows. */
async function pass(count: number): Promise<void> {
  const { stored } = the.store
  const end = await stored.end()
  const event = { stream: 'poll-1', type: 'PollOpened', data: {}, metadata: {} }
  const at = (revision: number) => ({ revision, position: end + 1n + BigInt(revision), eventId: randomUUID() })
  await stored.append(
    end,
    Array.from({ length: count }, (_, revision) => ({ ...event, ...at(revision) })),
  )
}

const totals = (name = 'tallies') =>
  the.rows(`select username, total from ${name}.totals order by username collate "C"`)
const parked = () =>
  the.rows('select schema, stream, position::int4, type, cause from read_models.parked order by 1, 2')
const alarms = (): readonly string[] =>
  the.errors.filter((error) => error instanceof StreamParked).map((error) => error.message)

describe('an event that cannot be read', () => {
  it('parks its stream in every read model that may need it, and all others go on', async () => {
    const projector = await the.projector(projections)
    await projector.reached(await the.happens(claimed('ada', 1), claimed('bob', 1)))
    const position = await poison('ada', 'HandleRenamed', { to: 'eve' })
    const end = await the.happens(claimed('bob', 2))
    await projector.reached(end)
    expect(await totals()).toStrictEqual([
      { username: 'ada', total: 1 },
      { username: 'bob', total: 2 },
    ])
    expect(await totals('others')).toStrictEqual(await totals())
    const row = { stream: 'handle-ada', position: Number(position), type: 'HandleRenamed', cause: 'unreadable' }
    expect(await parked()).toStrictEqual([
      { schema: 'others', ...row },
      { schema: 'tallies', ...row },
    ])
  })

  it('raises one alarm, which names the event, its stream and the read models', async () => {
    const projector = await the.projector(projections)
    await projector.reached(await poison('ada', 'HandleRenamed', {}))
    expect(alarms()).toStrictEqual([
      'tallies, others: nothing of handle-ada is projected from position 0 on, because of an event of type HandleRenamed: the catalog of handle has no such type',
    ])
    expect((await projector.status()).map(({ parkedStreams }) => parkedStreams)).toStrictEqual([1, 1])
  })

  it('keeps what follows in its stream from being projected or published, also after a restart', async () => {
    const first = await the.projector(projections)
    await first.reached(await the.happens(claimed('ada', 1)))
    await poison('ada', 'HandleRenamed', {})
    await first.reached(await poison('ada', 'HandleClaimed', claimed('ada', 2).data))
    await first.stop()
    const end = await poison('ada', 'HandleClaimed', claimed('ada', 3).data)
    const second = await the.projector(projections)
    await second.reached(end)
    expect(await totals()).toStrictEqual([{ username: 'ada', total: 1 }])
    expect([...first.published, ...second.published].map(({ position }) => position)).toStrictEqual([0n])
    expect(alarms()).toHaveLength(1)
  })

  it('is parked in a rebuild too: live rows equal rebuilt ones', async () => {
    const projector = await the.projector(projections)
    await the.happens(claimed('ada', 1), claimed('bob', 1))
    await poison('ada', 'HandleClaimed', [])
    await poison('ada', 'HandleClaimed', claimed('ada', 2).data)
    await projector.reached(await the.happens(claimed('bob', 2)))
    const { pool } = the.database
    const verified = await verify({ pool, store: the.store, projections, signal: noSignal })
    expect(verified?.models.flatMap(({ tables }) => tables)).toStrictEqual([])
    const before = [await totals(), await parked()]
    await rebuildAll({ pool, store: the.store, projections, signal: noSignal })
    expect([await totals(), await parked()]).toStrictEqual(before)
    await projector.reached(await poison('ada', 'HandleClaimed', claimed('ada', 3).data))
    expect(await totals()).toStrictEqual(before[0])
  })

  it('parks nothing if its category is unknown, or no read model handles its type', async () => {
    const projector = await the.projector(projections)
    const { stored } = the.store
    const event = { revision: 0, type: 'PollOpened', data: {}, metadata: {} }
    await stored.append(-1n, [
      { ...event, position: 0n, stream: 'poll-1', eventId: randomUUID() },
      { ...event, position: 1n, stream: 'invite-1', type: 'InviteDeleted', data: 'no object', eventId: randomUUID() },
    ])
    await projector.reached(await the.happens(claimed('ada', 1)))
    expect(await parked()).toStrictEqual([])
    expect(await totals()).toStrictEqual([{ username: 'ada', total: 1 }])
    expect(projector.published.map(({ position }) => position)).toStrictEqual([2n])
  })
})

describe('an event that does not fit the rows', () => {
  const misfits: Readonly<Record<string, object>> = {
    'lacks a member of the key': { username: 'ada', accountId: '1' },
    'lacks a member beside the key': { username: 'ada', discriminator: 3 },
    'has a member of another type': { ...claimed('ada', 1).data, discriminator: 'first' },
    'has a number that no column holds': { ...claimed('ada', 1).data, discriminator: 1e12 },
  }
  for (const [what, data] of Object.entries(misfits)) {
    it(`because it ${what} parks its stream, and the rest of its batch is written once`, async () => {
      const projector = await the.projector(projections)
      await the.happens(claimed('bob', 1), claimed('ada', 1))
      await poison('ada', 'HandleClaimed', data)
      const end = await the.happens(claimed('bob', 2), released('bob', 1), claimed('cy', 1))
      await projector.reached(end)
      expect(await totals()).toStrictEqual([
        { username: 'ada', total: 1 },
        { username: 'bob', total: 1 },
        { username: 'cy', total: 1 },
      ])
      expect((await parked()).map(({ cause }) => cause)).toStrictEqual(['unprojectable', 'unprojectable'])
      expect(alarms()).toHaveLength(1)
      const verified = await verify({ pool: the.database.pool, store: the.store, projections, signal: noSignal })
      expect(verified?.models.flatMap(({ tables }) => tables)).toStrictEqual([])
    })
  }

  it('parks its stream only in the read models that it does not fit', async () => {
    const picky = {
      ...tallies('picky'),
      project: (event: Parameters<(typeof projections)[0]['project']>[0]) => {
        if (JSON.stringify(event.data).includes('"ada"')) throw new Error('not that one')
        return tallies('picky').project(event)
      },
    }
    const projector = await the.projector([tallies('tallies'), picky])
    await projector.reached(await the.happens(claimed('ada', 1), claimed('bob', 1), claimed('ada', 2)))
    expect(await totals()).toStrictEqual([
      { username: 'ada', total: 2 },
      { username: 'bob', total: 1 },
    ])
    expect(await totals('picky')).toStrictEqual([{ username: 'bob', total: 1 }])
    expect(await parked()).toMatchObject([{ schema: 'picky', stream: 'handle-ada', position: 0 }])
  })

  it('parks its stream in a rebuild before the next batch, whose rows were computed while its own were written', async () => {
    const [before, after] = [100, 10]
    // The whole batch is written again, event by event: most of it is for no read model.
    await pass(rebuildBatch_events_max - 1 - before)
    await the.happens(...claims(before))
    // Only Postgres finds this one, at the end of the first batch.
    await poison('ada', 'HandleClaimed', { ...claimed('ada', 1).data, discriminator: 1e12 })
    await poison('ada', 'HandleClaimed', claimed('ada', 2).data)
    await the.happens(...claims(after, before + 1))
    const { pool } = the.database
    await rebuildAll({ pool, store: the.store, projections, signal: noSignal })
    expect(await the.rows(`select sum(total)::int4 as total from tallies.totals`)).toStrictEqual([
      { total: before + after },
    ])
    expect(await the.rows(`select * from tallies.totals where username = 'ada'`)).toStrictEqual([])
    expect(await parked()).toMatchObject([
      { schema: 'others', stream: 'handle-ada', position: rebuildBatch_events_max - 1 },
      { schema: 'tallies', stream: 'handle-ada', position: rebuildBatch_events_max - 1 },
    ])
  })

  it('is projected once a corrected version of the read model is built', async () => {
    const broken = {
      ...tallies('tallies'),
      project: () => [{ change: 'put' as const, table: 'totals', row: { total: 1 } }],
    }
    const first = await the.projector([broken])
    await first.reached(await the.happens(claimed('ada', 1), claimed('ada', 2)))
    expect(await parked()).toHaveLength(1)
    await first.stop()
    await the.projector([tallies('tallies', 2)])
    await until(async () => (await parked()).length === 0)
    expect(await totals()).toStrictEqual([{ username: 'ada', total: 2 }])
  })
})

describe('a group of read models whose tables were swapped', () => {
  it('gets no writes to its new tables: the projector does not know what is parked in them', async () => {
    const { pool } = the.database
    const only = tallies('tallies')
    const position = await the.happens(claimed('ada', 1))
    await rebuildAll({ pool, store: the.store, projections: [only], signal: noSignal })
    const client = await pool.connect()
    try {
      const group = groupOf(await modelTables(client, [{ schema: 'tallies', projection: only }]))
      const [events] = await collected(the.store.readAll(position - 1n))
      await rebuildAll({ pool, store: the.store, projections: [only], signal: noSignal })
      expect(await advance(client, { group, from: position, events: events ?? [] })).toStrictEqual({
        outcome: 'refused',
        missing: [],
      })
      const again = groupOf(await modelTables(client, [{ schema: 'tallies', projection: only }]))
      expect(await advance(client, { group: again, from: position, events: [] })).toMatchObject({ outcome: 'advanced' })
      expect(await totals()).toStrictEqual([{ username: 'ada', total: 1 }])
    } finally {
      client.release()
    }
  })
})

async function collected<Page>(pages: AsyncIterable<Page>): Promise<readonly Page[]> {
  const all: Page[] = []
  for await (const page of pages) all.push(page)
  return all
}

describe('too many parked streams', () => {
  it('stop the projector with a message: then the events are not the cause', async () => {
    const projector = await the.projector([tallies('tallies')])
    await projector.reached(await the.happens(claimed('ada', 1)))
    await the.rows(`insert into read_models.parked
      select 'tallies', 'handle-' || n, 0, gen_random_uuid(), 'X', 'unreadable', 'test' from generate_series(1, ${parkedStreams_max}) n`)
    await projector.stop()
    await the.projector([tallies('tallies')])
    await poison('eve', 'HandleRenamed', {})
    await until(() => the.errors.some((error) => error instanceof TooManyParked))
    expect(await the.rows('select position::int4 from read_models.checkpoints')).toStrictEqual([{ position: 0 }])
  })
})
