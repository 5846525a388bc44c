import { afterAll, expect, it } from 'vitest'
import { electorOn } from '../../../application/concurrency/elector.ts'
import { locks } from '../../../projections/runner/registry.ts'
import { testDatabase } from '../../support/test-database.ts'

const { database, close } = await testDatabase()
afterAll(close)

it('a lock is free as soon as whoever held it is done', async () => {
  const { pool } = database
  const next = await pool.connect()
  const took: boolean[] = []
  try {
    for (let time = 0; time < 50; time += 1) {
      await electorOn(pool).use((seat) => seat.take(locks.leading))
      const { rows } = await next.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', [
        ...locks.leading,
      ])
      took.push(rows[0]?.taken === true)
      await next.query('select pg_advisory_unlock_all()')
    }
  } finally {
    next.release()
  }
  expect(took).toStrictEqual(Array.from({ length: 50 }, () => true))
})
