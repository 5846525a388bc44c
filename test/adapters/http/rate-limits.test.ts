import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drip, type Verdict } from '../../../adapters/http/limits/leaky-bucket.ts'
import { openPostgresRateLimits } from '../../../adapters/http/limits/postgres-rate-limits.ts'
import { memoryRateLimits, type KeyedBucket, type RateLimits } from '../../../adapters/http/limits/rate-limits.ts'
import type { Rate } from '../../../application/ports/allowances.ts'
import { clock, times } from './limits-support.ts'
import { migratedDatabase, type TestDatabase } from '../../support/test-database.ts'

let postgres: TestDatabase
beforeAll(async () => {
  postgres = await migratedDatabase()
})
afterAll(() => postgres.close())

type Opened = RateLimits & { close(): Promise<void> }

const adapters: readonly (readonly [string, (now: () => number) => Opened])[] = [
  ['memory', (now) => ({ ...memoryRateLimits({ now }), close: async () => undefined })],
  ['Postgres', (now) => openPostgresRateLimits({ database: postgres.database, now })],
]

let keys = 0
/** Each test has its own buckets, even in a database that tests share. */
const newKey = (): string => `key ${(keys += 1)}`

describe.each(adapters)('rate limits in %s', (_, open) => {
  async function opened<Result>(use: (limits: RateLimits, ms: ReturnType<typeof clock>) => Promise<Result>) {
    const ms = clock()
    const limits = open(ms.now)
    try {
      return await use(limits, ms)
    } finally {
      await limits.close()
    }
  }

  it('admit as many at once as a bucket holds, and then one for each share of its time', () =>
    opened(async (limits, ms) => {
      const [key, rate] = [newKey(), { requests: 5, seconds: 10 }]
      const take = () => limits.take(key, rate)
      const first = await Promise.all(times(6, take))
      expect(first.map(({ admitted, remaining }) => [admitted, remaining])).toEqual([
        ...[4, 3, 2, 1, 0].map((remaining) => [true, remaining]),
        [false, 0],
      ])
      expect(first[5]).toEqual({ admitted: false, remaining: 0, retryAfter_ms: 2000, fullAfter_ms: 10_000 })
      ms.pass(1999)
      expect((await take()).admitted).toBe(false)
      ms.pass(1)
      expect(await take()).toMatchObject({ admitted: true, remaining: 0 })
      expect((await take()).admitted).toBe(false)
      ms.pass(10_000)
      expect(await take()).toMatchObject({ admitted: true, remaining: 4, fullAfter_ms: 2000 })
    }))
  it('give exactly the verdicts of the leaky bucket, also to takes and looks that come together', async () => {
    const rates = fc.record({ requests: fc.integer({ min: 1, max: 1200 }), seconds: fc.integer({ min: 1, max: 3600 }) })
    const asks = fc.array(fc.constantFrom('take', 'take', 'take', 'look'), { minLength: 1, maxLength: 30 })
    const bursts = fc.array(fc.tuple(fc.integer({ min: 0, max: 5000 }), asks), { minLength: 1, maxLength: 8 })
    await opened(async (limits, ms) => {
      await fc.assert(
        fc.asyncProperty(rates, bursts, async (rate, given) => {
          const key = newKey()
          let fullAt = 0
          for (const [pause, burst] of given) {
            ms.pass(pause)
            const expected = burst.map((ask) => {
              const after = drip(rate, fullAt, ms.now())
              if (ask === 'take') fullAt = after.fullAt
              return after.verdict
            })
            const verdicts = await Promise.all(
              burst.map((ask) => (ask === 'take' ? limits.take(key, rate) : limits.look(key, rate))),
            )
            expect(verdicts.map(({ admitted, remaining }) => ({ admitted, remaining }))).toEqual(
              expected.map(({ admitted, remaining }) => ({ admitted, remaining })),
            )
            verdicts.forEach((verdict, index) => {
              expect(verdict.retryAfter_ms).toBeCloseTo(expected[index]?.retryAfter_ms ?? NaN, 3)
              expect(verdict.fullAfter_ms).toBeCloseTo(expected[index]?.fullAfter_ms ?? NaN, 3)
            })
          }
        }),
        { numRuns: 60 },
      )
    })
  })
  it('keep the buckets of other keys apart, of any length and with any character', () =>
    opened(async (limits) => {
      const rate = { requests: 1, seconds: 60 }
      const others = ['', ' ', '\0', "'; drop", 'ü', 'ü ', 'x'.repeat(100_000), `${'x'.repeat(100_000)}y`].map(
        (text) => `${newKey()}${text}`,
      )
      const first = await Promise.all(others.map((key) => limits.take(key, rate)))
      expect(first.map(({ admitted }) => admitted)).toEqual(others.map(() => true))
      const second = await Promise.all(others.map((key) => limits.take(key, rate)))
      expect(second.map(({ admitted }) => admitted)).toEqual(others.map(() => false))
    }))
  it('go on with what a bucket owes when its rate changes, also between takes that come together', () =>
    opened(async (limits) => {
      const key = newKey()
      const rates: Rate[] = [
        ...times(3, () => ({ requests: 2, seconds: 1 })),
        ...times(3, () => ({ requests: 4, seconds: 2 })),
      ]
      const verdicts = await Promise.all(rates.map((rate) => limits.take(key, rate)))
      expect(verdicts.map(({ admitted }) => admitted)).toEqual([true, true, false, true, true, false])
    }))
  it('take from a second bucket exactly what the first admits, whatever comes together', async () => {
    const rates = fc.record({ requests: fc.integer({ min: 1, max: 6 }), seconds: fc.integer({ min: 1, max: 60 }) })
    const asks = fc.array(fc.record({ first: fc.nat(2), second: fc.nat(2), isPair: fc.boolean() }), { maxLength: 20 })
    const bursts = fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), asks), { minLength: 1, maxLength: 6 })
    await opened(async (limits, ms) => {
      await fc.assert(
        fc.asyncProperty(rates, rates, bursts, async (rateOfFirst, rateOfSecond, given) => {
          const firsts = times(3, () => ({ key: newKey(), rate: rateOfFirst }))
          const seconds = times(3, () => ({ key: newKey(), rate: rateOfSecond }))
          const fullAt = new Map<KeyedBucket, number>()
          const expected = (bucket: KeyedBucket): Verdict => {
            const after = drip(bucket.rate, fullAt.get(bucket) ?? 0, ms.now())
            fullAt.set(bucket, after.fullAt)
            return after.verdict
          }
          for (const [pause, burst] of given) {
            ms.pass(pause)
            const pairs = burst.map((ask) => ({
              first: firsts[ask.first] ?? { key: '', rate: rateOfFirst },
              second: ask.isPair ? seconds[ask.second] : undefined,
            }))
            const wanted = pairs.map(({ first, second }) => {
              const verdict = expected(first)
              return [verdict.admitted, second && verdict.admitted ? expected(second).admitted : undefined]
            })
            const answered = await Promise.all(
              pairs.map(async ({ first, second }) => {
                if (!second) return [(await limits.take(first.key, first.rate)).admitted, undefined]
                const both = await limits.takeBoth(first, second)
                return [both.first.admitted, both.second?.admitted]
              }),
            )
            expect(answered).toEqual(wanted)
          }
          // Nothing was taken beside.
          for (const bucket of [...firsts, ...seconds]) {
            const { remaining } = await limits.look(bucket.key, bucket.rate)
            expect(remaining).toBe(drip(bucket.rate, fullAt.get(bucket) ?? 0, ms.now()).verdict.remaining)
          }
        }),
        { numRuns: 60 },
      )
    })
  })
  it('say what a take would come to, and take nothing for it', () =>
    opened(async (limits) => {
      const [key, rate] = [newKey(), { requests: 2, seconds: 10 }]
      expect(await limits.look(key, rate)).toMatchObject({ admitted: true, remaining: 1 })
      const looks = await Promise.all(times(3, () => limits.look(key, rate)))
      expect(looks.map(({ admitted }) => admitted)).toEqual([true, true, true])
      await limits.take(key, rate)
      expect(await limits.look(key, rate)).toMatchObject({ admitted: true, remaining: 0 })
      await limits.take(key, rate)
      expect(await limits.look(key, rate)).toEqual(await limits.take(key, rate))
    }))
})
