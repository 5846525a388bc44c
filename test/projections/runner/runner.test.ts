import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CheckpointsMoved, type Failpoint } from '../../../projections/runner/leader.ts'
import { ReadModelsBehind } from '../../../application/failures/read-models-behind.ts'
import { locks, ReadModelsAhead } from '../../../projections/runner/registry.ts'
import { claimed, claims, released, tallies } from '../support/tallies.ts'
import { until, world, type World } from '../support/world.ts'

let the: World

beforeEach(async () => {
  the = await world()
})

afterEach(async () => {
  await the.close()
})

const projections = [tallies('tallies'), tallies('others')]

async function counted(name = 'tallies'): Promise<number> {
  const [row] = await the.rows(`select coalesce(sum(events), 0)::int4 as events from ${name}.totals`)
  return Number(row?.['events'])
}

const positions = async (): Promise<readonly string[]> => {
  const rows = await the.rows('select position from read_models.checkpoints order by schema')
  return rows.map(({ position }) => String(position))
}

describe('a projector', () => {
  it('writes the rows of every event, in all read models at one position', async () => {
    await the.happens(...claims(3))
    const projector = await the.projector(projections)
    const end = await the.happens(claimed('ada', 1), claimed('ada', 2), released('ada', 1))
    await projector.reached(end)
    expect(await the.rows(`select username, total from tallies.totals where username = 'ada'`)).toStrictEqual([
      { username: 'ada', total: 1 },
    ])
    expect([await counted('tallies'), await counted('others')]).toStrictEqual([6, 6])
    expect(await positions()).toStrictEqual(['5', '5'])
    expect(the.errors).toStrictEqual([])
  })

  it('starts on one connection of its pool where there is nothing to build', async () => {
    const { pool } = the.database
    let opened = 0
    pool.on('connect', () => (opened += 1))
    const projector = await the.projector(projections, { pool })
    await projector.reached(await the.happens(...claims(3)))
    await projector.stop()
    expect(opened).toBe(1)
  })

  it('starts where it stopped', async () => {
    const first = await the.projector(projections)
    await first.reached(await the.happens(...claims(10)))
    await first.stop()
    const end = await the.happens(...claims(10, 11))
    const second = await the.projector(projections)
    await second.reached(end)
    expect(await counted()).toBe(20)
    expect(second.published.map(({ position }) => position)).toStrictEqual(
      Array.from({ length: 10 }, (_, index) => BigInt(10 + index)),
    )
  })

  it('publishes each event once and in order, after its rows can be read and before anybody is notified', async () => {
    const seen: string[] = []
    const projector = await the.projector(projections, {
      onCommitted: async (events) => {
        const last = events.at(-1)?.position
        seen.push(`published ${last} with ${await counted()} counted`)
      },
    })
    for (const event of claims(3)) {
      const position = await the.happens(event)
      await projector.reached(position)
      seen.push(`reached ${position}`)
    }
    expect(seen).toStrictEqual([
      'published 0 with 1 counted',
      'reached 0',
      'published 1 with 2 counted',
      'reached 1',
      'published 2 with 3 counted',
      'reached 2',
    ])
  })

  it('publishes nothing while it builds from the beginning', async () => {
    await the.happens(...claims(12_000))
    const projector = await the.projector(projections)
    const end = await the.happens(claimed('ada', 1))
    await projector.reached(end)
    expect(await counted()).toBe(12_001)
    expect(projector.published.map(({ position }) => position)).toStrictEqual([12_000n])
  })

  it('goes on if publishing fails, and reports it', async () => {
    const failure = new Error('the bus is down')
    const projector = await the.projector(projections, { onCommitted: () => Promise.reject(failure) })
    await projector.reached(await the.happens(...claims(2)))
    expect(the.errors).toContain(failure)
    expect(await counted()).toBe(2)
  })

  it('reports the position of each read model', async () => {
    const projector = await the.projector(projections)
    await projector.reached(await the.happens(...claims(2)))
    expect(await projector.status()).toStrictEqual(
      ['tallies', 'others'].map((name) => ({
        name,
        version: 1,
        declaredVersion: 1,
        position: 1n,
        end: 1n,
        lag_events_max: 0n,
        parkedStreams: 0,
      })),
    )
    await projector.stop()
    await the.happens(...claims(5, 10))
    const [status] = await projector.status().catch(() => [])
    expect(status).toBe(undefined)
  })

  it('refuses a store that does not match the read models', async () => {
    const projector = await the.projector(projections)
    await projector.reached(await the.happens(...claims(2)))
    await projector.stop()
    await the.rows('update read_models.checkpoints set position = 7')
    await the.projector(projections)
    await until(() => the.errors.some((error) => error instanceof ReadModelsAhead))
  })
})

describe('an event counts exactly once', () => {
  for (const point of ['before commit', 'after commit'] as const satisfies readonly Failpoint[]) {
    it(`when projecting fails ${point}, and goes on`, async () => {
      let failing = true
      const projector = await the.projector(projections, {
        failpoint: (at) => {
          if (!failing || at !== point) return
          failing = false
          throw new Error(`failed ${point}`)
        },
      })
      const end = await the.happens(...claims(5))
      await projector.reached(end)
      expect([await counted('tallies'), await counted('others')]).toStrictEqual([5, 5])
      expect(projector.published.map(({ position }) => position)).toStrictEqual([0n, 1n, 2n, 3n, 4n])
      expect(the.errors).toStrictEqual([new Error(`failed ${point}`)])
    })

    it(`when the process dies ${point}, and another takes over`, async () => {
      let died = false
      const first = await the.projector(projections, {
        failpoint: (at) => {
          if (at !== point) return
          died = true
          throw new Error(`died ${point}`)
        },
      })
      const end = await the.happens(...claims(5))
      await until(() => died)
      await first.stop()
      const second = await the.projector(projections)
      await second.reached(end)
      expect([await counted('tallies'), await counted('others')]).toStrictEqual([5, 5])
      expect(await positions()).toStrictEqual(['4', '4'])
    })
  }

  it('when its connections are cut again and again', async () => {
    const projector = await the.projector(projections)
    let end = -1n
    for (let round = 0; round < 5; round += 1) {
      end = await the.happens(...claims(20, round * 20))
      await the.rows(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query ilike '%checkpoints%'`)
      end = await the.happens(...claims(20, 1000 + round * 20))
    }
    await projector.reached(end)
    expect(await counted()).toBe(200)
    expect(projector.published.map(({ position }) => Number(position))).toStrictEqual(
      Array.from({ length: 200 }, (_, index) => index),
    )
  })
})

describe('of two projectors', () => {
  it('one projects, and both know the position of the read models', async () => {
    const first = await the.projector(projections)
    await until(() => first.isLeading)
    const second = await the.projector(projections)
    for (const event of claims(10)) {
      const position = await the.happens(event)
      await Promise.all([first.reached(position), second.reached(position)])
    }
    expect([first.isLeading, second.isLeading]).toStrictEqual([true, false])
    expect([first.published.length, second.published.length]).toStrictEqual([10, 0])
    expect(await counted()).toBe(10)
  })

  it('the second takes over once the first stops', async () => {
    const first = await the.projector(projections)
    await until(() => first.isLeading)
    const second = await the.projector(projections)
    await first.reached(await the.happens(...claims(5)))
    await first.stop()
    await second.reached(await the.happens(...claims(5, 6)))
    expect(second.isLeading).toBe(true)
    expect(second.published.map(({ position }) => position)).toStrictEqual([5n, 6n, 7n, 8n, 9n])
    expect(await counted()).toBe(10)
  })

  it('the first stops projecting at once when it loses the connection of its lock', async () => {
    const first = await the.projector(projections)
    await until(() => first.isLeading)
    const second = await the.projector(projections)
    await the.rows(`select pg_terminate_backend(pid) from pg_locks
      where locktype = 'advisory' and classid = ${locks.leading[0]} and objid = ${locks.leading[1]} and granted
        and database = (select oid from pg_database where datname = current_database())`)
    await until(() => !first.isLeading)
    const end = await the.happens(...claims(5))
    await Promise.all([first.reached(end), second.reached(end)])
    expect([first.isLeading, second.isLeading].filter(Boolean)).toHaveLength(1)
    expect(first.published.length + second.published.length).toBe(5)
    expect(await counted()).toBe(5)
  })

  it('one that writes without the lock is stopped by the checkpoint, and nothing of its batch is written', async () => {
    const projector = await the.projector(projections)
    await projector.reached(await the.happens(...claims(3)))
    // As if another projector had already projected the next event.
    await the.rows(`update read_models.checkpoints set position = 3`)
    await the.happens(...claims(1, 50))
    await until(() => the.errors.some((error) => error instanceof CheckpointsMoved))
    expect(await counted()).toBe(3)
    await projector.reached(await the.happens(...claims(1, 51)))
    expect(await counted()).toBe(4)
  })
})

describe('a waiter for a position', () => {
  it('can read what was written', async () => {
    const projector = await the.projector(projections)
    await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const position = await the.happens(claimed(`user${index}`, 1))
        await projector.reached(position)
        expect(await the.rows(`select total from tallies.totals where username = 'user${index}'`)).toStrictEqual([
          { total: 1 },
        ])
      }),
    )
  })

  it('is rejected when projecting stops', async () => {
    const projector = await the.projector(projections)
    const waiting = [projector.reached(100n), projector.reached(200n)].map((waits) =>
      expect(waits).rejects.toThrow(ReadModelsBehind),
    )
    await projector.stop()
    await Promise.all(waiting)
    await expect(projector.reached(1n)).rejects.toThrow(ReadModelsBehind)
  })
})
