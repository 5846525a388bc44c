import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inProcessReservations } from '../../../adapters/reservations/in-process-reservations.ts'
import { openPostgresReservations } from '../../../adapters/reservations/postgres-reservations.ts'
import type { Reservations } from '../../../application/ports/reservations.ts'
import { migratedDatabase } from '../../support/test-database.ts'
import { withinOne, counted, pause, withResolvers } from './counted.ts'

interface Opened {
  /** The reservations of this many processes. */
  readonly processes: readonly Reservations[]
  close(): Promise<void>
}

async function onPostgres(count: number): Promise<Opened> {
  const { database, close } = await migratedDatabase()
  const processes = Array.from({ length: count }, () => openPostgresReservations({ database }))
  return {
    processes,
    close: async () => {
      await Promise.all(processes.map((reservations) => reservations.close()))
      await close()
    },
  }
}

const inThisProcess = (): Promise<Opened> =>
  Promise.resolve({ processes: [inProcessReservations()], close: () => Promise.resolve() })

describe.each([
  { where: 'in this process', open: inThisProcess },
  { where: 'on Postgres', open: () => onPostgres(1) },
  { where: 'on Postgres, of two processes', open: () => onPostgres(2) },
])('reservations $where', ({ open }) => {
  let opened: Opened
  let asked = 0
  let tests = 0

  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())
  beforeEach(() => {
    tests += 1
  })

  /** Asks the processes in turn, with keys of each test's own. */
  const next = (): Reservations => {
    const reservations = opened.processes[(asked += 1) % opened.processes.length]
    if (!reservations) throw new Error('There is no process')
    return reservations
  }
  const within = <Result>(key: string, limit: number, count: () => Promise<number>, act: () => Promise<Result>) =>
    withinOne(next(), `${tests}: ${key}`, limit, count, act)

  it.each([1, 2, 7, 20, 64])('lets in exactly as many of 64 at once as there are places for: %i', async (limit) => {
    const rows = counted()
    const outcomes = await Promise.all(Array.from({ length: 64 }, () => within('key', limit, rows.count, rows.act)))
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(limit)
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(64 - limit)
    expect(rows.there).toBe(limit)
  })

  it('acts side by side while the limit is far', async () => {
    let atWork = 0
    const { promise: areAllAtWork, resolve } = withResolvers()
    const act = async () => {
      atWork += 1
      if (atWork === 8) resolve()
      await areAllAtWork
      return 'done'
    }
    await Promise.all(Array.from({ length: 8 }, () => within('key', 100, async () => 0, act)))
    expect(atWork).toBe(8)
  })

  it('have a place again once something was taken away', async () => {
    const rows = counted()
    for (let round = 0; round < 3; round += 1) await within('key', 3, rows.count, rows.act)
    expect(await within('key', 3, rows.count, rows.act)).toBeUndefined()
    rows.leave()
    expect(await within('key', 3, rows.count, rows.act)).toBe('done')
    expect(await within('key', 3, rows.count, rows.act)).toBeUndefined()
  })

  it('keeps the limit while acts come, fail and are taken away', async () => {
    const rows = counted()
    let most = 0
    const act = async (number: number) => {
      if (number % 3 === 0) {
        await pause(2)
        throw new Error('refused')
      }
      const done = await rows.act()
      most = Math.max(most, rows.there)
      if (number % 5 === 0) rows.leave()
      return done
    }
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, number) => within('key', 9, rows.count, () => act(number))),
    )
    expect(most).toBe(9)
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []))
    expect(new Set(reasons)).toEqual(new Set(['Error: refused']))
  })

  it('keeps several limits at once, and refuses by the first that is reached', async () => {
    const [first, second] = [counted(), counted()]
    const refused: string[] = []
    const counts = ([one, other]: readonly [string, string]) =>
      [
        { key: `${tests}: ${one}`, limit: 5 },
        { key: `${tests}: ${other}`, limit: 7 },
      ].map((each, index) => ({
        ...each,
        count: (index === 0 ? first : second).count,
        refuse: (): never => {
          refused.push(each.key)
          throw new Error('refused')
        },
      }))
    const act = () => Promise.all([first.act(), second.act()])
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, () => next().within(counts(['first', 'second']), act)),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect([first.there, second.there]).toStrictEqual([5, 5])
    expect(new Set(refused)).toStrictEqual(new Set([`${tests}: first`]))
    // The places of the refused are free again: two more fit below the second limit.
    const more = await Promise.all(Array.from({ length: 6 }, () => within('second', 7, second.count, second.act)))
    expect(more.filter((outcome) => outcome === 'done')).toHaveLength(2)
  })

  it('neither waits for the other where two acts count the same in another order', async () => {
    const [first, second] = [counted(), counted()]
    const count = (key: string, of: typeof first) => ({
      key: `${tests}: ${key}`,
      limit: 40,
      count: of.count,
      refuse: (): never => {
        throw new Error('refused')
      },
    })
    const act = () => Promise.all([first.act(), second.act()])
    const counts = [count('first', first), count('second', second)]
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, turn) => next().within(turn % 2 ? counts : counts.toReversed(), act)),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(40)
    expect([first.there, second.there]).toStrictEqual([40, 40])
  })

  it('gives the place of an act that failed to another', async () => {
    const rows = counted()
    const { promise: isAtWork, resolve: begin } = withResolvers()
    const failing = async () => {
      begin()
      await pause(2)
      throw new Error('refused')
    }
    const first = within('key', 1, rows.count, failing).catch((error: Error) => error.message)
    await isAtWork
    const others = await Promise.all([within('key', 1, rows.count, rows.act), within('key', 1, rows.count, rows.act)])
    expect(await first).toBe('refused')
    expect(others.filter((outcome) => outcome === 'done')).toHaveLength(1)
    expect(others.filter((outcome) => outcome === undefined)).toHaveLength(1)
  })

  it('keeps counts apart, and takes a count that fails for nothing but a failure', async () => {
    const rows = counted()
    await within('one', 1, rows.count, rows.act)
    const others = counted()
    expect(await within('other', 1, others.count, others.act)).toBe('done')
    await expect(within('third', 1, () => Promise.reject(new Error('no count')), rows.act)).rejects.toThrow('no count')
    const none = () => Promise.resolve(0)
    expect(await within('third', 1, none, () => Promise.resolve('done'))).toBe('done')
  })

  it('lets an act within another key be let in too', async () => {
    const [outer, inner] = [counted(), counted()]
    const nested = () => within('outer', 20, outer.count, () => within('inner', 4, inner.count, inner.act))
    const outcomes = await Promise.all(Array.from({ length: 12 }, nested))
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(4)
    expect(inner.there).toBe(4)
  })
})
