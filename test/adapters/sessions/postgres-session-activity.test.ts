import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgresSessionActivity, activityGrain_ms } from '../../../adapters/sessions/postgres-session-activity.ts'
import type { PostgresDatabase } from '../../../adapters/postgres/database.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { migratedDatabase, type TestDatabase } from '../../support/test-database.ts'

let place: TestDatabase

beforeAll(async () => {
  place = await migratedDatabase()
})
afterAll(() => place.close())

/** A process with its own clock. */
async function process(start_ms = Date.UTC(2026, 10, 21)) {
  let now_ms = start_ms
  const activity = openPostgresSessionActivity({ database: place.database, now_ms: () => now_ms })
  return { ...activity, wait: (ms: number) => void (now_ms += ms), now: () => timestamp(now_ms) }
}

describe('the activity of sessions', () => {
  it('is there at once, and in another process once it is written', async () => {
    const [one, other] = [await process(), await process()]
    one.note('a')
    expect(await one.lastUsed(['a', 'unknown'])).toStrictEqual(new Map([['a', one.now()]]))
    expect(await other.lastUsed(['a'])).toStrictEqual(new Map())
    await one.flush()
    expect(await other.lastUsed(['a', 'unknown'])).toStrictEqual(new Map([['a', one.now()]]))
    await Promise.all([one.close(), other.close()])
  })

  it('is written once in five minutes, however often a session is used', async () => {
    const activity = await process()
    const first = activity.now()
    activity.note('b')
    await activity.flush()
    activity.wait(activityGrain_ms - 1)
    activity.note('b')
    await activity.flush()
    expect(await activity.lastUsed(['b'])).toStrictEqual(new Map([['b', first]]))
    activity.wait(1)
    activity.note('b')
    await activity.flush()
    expect(await activity.lastUsed(['b'])).toStrictEqual(new Map([['b', activity.now()]]))
    await activity.close()
  })

  it('never goes back, whichever process writes last', async () => {
    const [late, early] = [await process(Date.UTC(2026, 10, 22)), await process()]
    late.note('c')
    early.note('c')
    await late.flush()
    await early.flush()
    expect(await early.lastUsed(['c'])).toStrictEqual(new Map([['c', late.now()]]))
    await Promise.all([late.close(), early.close()])
  })

  it('is forgotten with the session, also by a process that ends', async () => {
    const activity = await process()
    activity.note('d')
    await activity.flush()
    activity.forget('d')
    activity.note('d')
    await activity.close()
    const another = await process()
    expect(await another.lastUsed(['d'])).toStrictEqual(new Map())
    await another.close()
  })

  it('waits for the next time where it can’t be written', async () => {
    let isBroken = true
    const failing: PostgresDatabase = {
      ...place.database,
      any: (query) => (isBroken ? Promise.reject(new Error('no connection')) : place.database.any(query)),
    }
    const activity = openPostgresSessionActivity({ database: failing })
    activity.note('e')
    await expect(activity.flush()).rejects.toThrow('no connection')
    isBroken = false
    await activity.flush()
    const another = await process()
    expect([...(await another.lastUsed(['e'])).keys()]).toStrictEqual(['e'])
    await Promise.all([activity.close(), another.close()])
  })
})
