import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../application/sql/sql.ts'
import { atQuietInstant } from '../../cli/backup/quiet-instant.ts'
import { migratedDatabase, type TestDatabase } from '../support/test-database.ts'

let place: TestDatabase
beforeEach(async () => {
  place = await migratedDatabase()
})
afterEach(() => place.close())

const never = new AbortController().signal
const accounts = sql.type(
  z.object({ id: z.string() }),
)`select account_id as id from started_sessions.accounts order by 1`
const starts = (id: number): Promise<unknown> =>
  place.database.pool.query('insert into started_sessions.accounts (account_id) values ($1)', [id])

/** A store whose end is asked for again and again; an event is written before some of the questions. */
function storeEndingAt(...ends: readonly bigint[]) {
  let asked = 0
  return {
    asked: () => asked,
    end: async (): Promise<bigint> => {
      const end = ends[Math.min(asked, ends.length - 1)] ?? 0n
      asked += 1
      return end
    },
  }
}

describe('a quiet instant', () => {
  it('is one at which the event store ended at the same position before and after', async () => {
    const store = storeEndingAt(1n, 2n, 2n, 3n, 4n, 4n, 5n)
    const end = await atQuietInstant(place.connection, store, never, async (instant) => instant.end)
    expect({ end, asked: store.asked() }).toStrictEqual({ end: 4n, asked: 6 })
  })

  it('shows Postgres as it was then, however long the task takes, and lets nothing be written', async () => {
    await starts(1)
    const seen = await atQuietInstant(place.connection, storeEndingAt(1n), never, async ({ queries }) => {
      const first = await queries.any(accounts)
      await starts(2)
      return [first, await queries.any(accounts)]
    })
    expect(seen).toStrictEqual([[{ id: '1' }], [{ id: '1' }]])
    const writing = atQuietInstant(place.connection, storeEndingAt(1n), never, ({ queries }) =>
      queries.any(sql.type(z.object({}))`delete from started_sessions.accounts`),
    )
    await expect(writing).rejects.toThrow('read-only transaction')
  })

  it('is not looked for any more once the command is interrupted', async () => {
    const interruption = new AbortController()
    const busy = { next: 0n, end: async (): Promise<bigint> => (busy.next += 1n) }
    const looking = atQuietInstant(place.connection, busy, interruption.signal, async () => 'found')
    interruption.abort(new Error('Interrupted'))
    await expect(looking).rejects.toThrow('Interrupted')
  })
})
