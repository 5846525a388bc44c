import { describe, expect, it } from 'vitest'
import { inProcessReservations } from '../../../adapters/reservations/in-process-reservations.ts'
import { withinOne, counted } from './counted.ts'

describe('reservations of one process', () => {
  it('reads the count once while the limit is far', async () => {
    const reservations = inProcessReservations()
    const rows = counted()
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(Array.from({ length: 10 }, () => withinOne(reservations, 'key', 1000, rows.count, rows.act)))
    }
    expect(rows.there).toBe(100)
    expect(rows.reads).toBeLessThanOrEqual(10)
  })
})
