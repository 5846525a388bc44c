import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openRisingSnowflakes, type RisingSettings } from '../../../adapters/ids/rising-snowflakes.ts'
import { compareSnowflakes, composeSnowflake, snowflakeMs, type Snowflake } from '../../../domain/ids/snowflake.ts'
import { migratedDatabase, type TestDatabase } from '../../support/test-database.ts'

const noon = Date.UTC(2026, 10, 23, 12)
const hour_ms = 3_600_000

let test: TestDatabase
let behind: number[]
let errors: unknown[]
beforeEach(async () => {
  test = await migratedDatabase()
  behind = []
  errors = []
})
afterEach(async () => {
  await test.close()
  expect(errors).toEqual([])
})

const start = (now: () => number, more: Partial<RisingSettings> = {}) =>
  openRisingSnowflakes({
    database: test.database,
    workerId: () => 0,
    known: [],
    onBehind: (behind_ms) => behind.push(behind_ms),
    onError: (error) => errors.push(error),
    now,
    ...more,
  })
const isHigher = (one: Snowflake, other: Snowflake): boolean => compareSnowflakes(one, other) > 0
const noted = async (): Promise<number | undefined> =>
  (await test.database.pool.query<{ ms: string }>('select ms from ids.highest')).rows.map(({ ms }) => Number(ms))[0]

describe('ids after a restart', () => {
  it('follow the clock where it is right, and nobody is told anything', async () => {
    const first = await start(() => noon)
    const old = first.snowflakes.next()
    await first.close()
    const second = await start(() => noon + 500)
    expect(snowflakeMs(second.snowflakes.next())).toBe(noon + 500)
    expect(isHigher(second.snowflakes.next(), old)).toBe(true)
    await second.close()
    expect(behind).toEqual([])
  })
  it('are higher than all before though the clock went back an hour, and it is said so once', async () => {
    const first = await start(() => noon)
    const old = [first.snowflakes.next(), first.snowflakes.next()]
    await first.close()
    const second = await start(() => noon - hour_ms)
    const fresh = Array.from({ length: 10_000 }, () => second.snowflakes.next())
    expect(fresh.every((id, index) => isHigher(id, fresh[index - 1] ?? old[1] ?? id))).toBe(true)
    await second.close()
    expect(behind).toEqual([expect.closeTo(hour_ms, -5)])
  })
  it('are higher also where the process died before it could note the last of them', async () => {
    const first = await start(() => noon)
    first.snowflakes.next()
    await first.close()
    // Nothing is recorded of this one.
    const killed = await start(() => noon + 4000)
    const last = killed.snowflakes.next()
    const second = await start(() => noon - 1)
    expect(isHigher(second.snowflakes.next(), last)).toBe(true)
    await Promise.all([killed.close(), second.close()])
  })
  it('are higher than a message or an account that is found, by whichever process it was made', async () => {
    const found = composeSnowflake(noon + 7000, 2 ** 22 - 1)
    const rising = await start(() => noon, { known: [composeSnowflake(noon, 0), found] })
    expect(isHigher(rising.snowflakes.next(), found)).toBe(true)
    await rising.close()
    expect(behind).toEqual([])
  })
  it('are above what any of several processes noted, which never notes less', async () => {
    const [ahead, late] = [await start(() => noon), await start(() => noon - 60_000)]
    const highest = ahead.snowflakes.next()
    late.snowflakes.next()
    await ahead.close()
    await late.close()
    expect(await noted()).toBe(noon)
    const next = await start(() => noon - 60_000)
    expect(isHigher(next.snowflakes.next(), highest)).toBe(true)
    await next.close()
  })
})

describe('the highest id of a process that lives', () => {
  it('is noted while it runs', async () => {
    const rising = await start(() => noon)
    rising.snowflakes.next()
    await expect.poll(noted).toBe(noon)
    await rising.close()
  })
  it('is told to be ahead of the clock when that is set back, once each time', async () => {
    let clock = noon
    const rising = await start(() => clock)
    rising.snowflakes.next()
    clock = noon - hour_ms
    await expect.poll(() => behind.length).toBe(1)
    clock = noon + 1
    rising.snowflakes.next()
    await expect.poll(noted).toBe(noon + 1)
    clock = noon - hour_ms
    await expect.poll(() => behind.length).toBe(2)
    await rising.close()
  })
})
