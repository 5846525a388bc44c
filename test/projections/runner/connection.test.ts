import { afterAll, expect, it } from 'vitest'
import { tryLock, withClient } from '../../../projections/runner/connection.js'
import { locks } from '../../../projections/runner/registry.js'
import { testDatabase } from '../../support/test-database.js'

const { database, close } = await testDatabase()
afterAll(close)

it('a lock is free as soon as whoever held it is done', async () => {
  const { pool } = database
  const next = await pool.connect()
  const took: boolean[] = []
  try {
    for (let time = 0; time < 50; time += 1) {
      await withClient(pool, async (client) => {
        await tryLock(client, locks.leading)
      })
      took.push(await tryLock(next, locks.leading))
      await next.query('select pg_advisory_unlock_all()')
    }
  } finally {
    next.release()
  }
  expect(took).toStrictEqual(Array.from({ length: 50 }, () => true))
})
