import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openReservationTable, type ReservationTable } from '../../../adapters/reservations/reservation-table.ts'
import { migratedDatabase, type TestDatabase } from '../../support/test-database.ts'

let postgres: TestDatabase
let table: ReservationTable
let other: ReservationTable

beforeAll(async () => {
  postgres = await migratedDatabase()
  table = openReservationTable(postgres.database, 60_000)
  other = openReservationTable(postgres.database, 60_000)
})
afterAll(() => postgres.close())

const places = (key: string, count: number) => Array.from({ length: count }, () => ({ id: randomUUID(), key }))
const passForPostgres = (id: string) =>
  postgres.database.pool.query('update admission.reservations set expires_at = clock_timestamp() where id = $1', [id])
const rowsOf = async (key: string) =>
  (await postgres.database.pool.query('select 1 from admission.reservations where key = $1', [key])).rowCount

describe('the table of reservations', () => {
  it('gives every reservation of a key another place, whoever makes it', async () => {
    const batches = Array.from({ length: 10 }, () => places('apart', 10))
    const ahead = await Promise.all(batches.map((batch, index) => (index % 2 ? table : other).reserve(batch)))
    expect(ahead.flat().toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, place) => place))
  })

  it('counts those before a reservation, and neither those after it nor those of another key', async () => {
    const [first, second, third] = places('in line', 3)
    if (!first || !second || !third) throw new Error('Three were asked for')
    expect(await table.reserve([first])).toEqual([0])
    expect(await other.reserve([second, ...places('elsewhere', 1)])).toEqual([1, 0])
    expect(await table.reserve([third])).toEqual([2])
    expect(await table.aheadOf([third, second, first])).toEqual([2, 1, 0])
    await other.giveUp([first.id])
    expect(await table.aheadOf([third, second])).toEqual([1, 0])
  })

  it('counts none that has lapsed, and removes it in time', async () => {
    const [dead, alive] = places('lapsed', 2)
    if (!dead || !alive) throw new Error('Two were asked for')
    await table.reserve([dead])
    await other.reserve([alive])
    await passForPostgres(dead.id)
    expect(await other.aheadOf([alive, dead])).toEqual([0, undefined])
    await Promise.all([table.sweep(), other.sweep()])
    expect(await rowsOf('lapsed')).toBe(1)
    expect(await other.aheadOf([alive])).toEqual([0])
  })

  it('takes many keys in any order from both sides without a deadlock', async () => {
    const keys = Array.from({ length: 40 }, (_, number) => `crossed ${number}`)
    const one = () => keys.map((key) => ({ id: randomUUID(), key }))
    for (let round = 0; round < 10; round += 1) {
      const [forwards, backwards] = [one(), one().toReversed()]
      await Promise.all([table.reserve(forwards), other.reserve(backwards)])
      await Promise.all([
        table.giveUp(forwards.map(({ id }) => id)),
        other.giveUp(backwards.map(({ id }) => id)),
        table.sweep(),
      ])
    }
    expect(await rowsOf('crossed 0')).toBe(0)
  })

  it('refuses a key that is longer than 200 characters', async () => {
    await expect(table.reserve(places('k'.repeat(201), 1))).rejects.toThrow(/check constraint/)
  })
})
