import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allowancesOver } from '../../../adapters/http/limits/allowances.ts'
import { bucketTable } from '../../../adapters/http/limits/bucket-table.ts'
import { identityOf } from '../../../adapters/http/limits/identity.ts'
import { drip } from '../../../adapters/http/limits/leaky-bucket.ts'
import { memoryRateLimits } from '../../../adapters/http/limits/rate-limits.ts'
import { clock, times } from './limits-support.ts'
import { adaToken, bearer, bobToken, resolveCredential, robot } from './support.ts'

describe('a leaky bucket', () => {
  it('admits as many at once as it holds, and then one for each share of its time', () => {
    const rate = { requests: 5, seconds: 10 }
    let fullAt = 0
    const at = (now: number) => {
      const result = drip(rate, fullAt, now)
      fullAt = result.fullAt
      return result.verdict
    }
    expect(times(5, () => at(0).admitted)).toEqual([true, true, true, true, true])
    expect(at(0)).toEqual({ admitted: false, remaining: 0, retryAfter_ms: 2000, fullAfter_ms: 10_000 })
    expect(at(1999).admitted).toBe(false)
    expect(at(2000)).toMatchObject({ admitted: true, remaining: 0 })
    expect(at(2000).admitted).toBe(false)
    expect(at(12_000)).toMatchObject({ admitted: true, remaining: 4, fullAfter_ms: 2000 })
  })
  it('never admits more within any span than it holds and what drips in meanwhile', () => {
    const rates = fc.record({ requests: fc.integer({ min: 1, max: 1200 }), seconds: fc.integer({ min: 1, max: 3600 }) })
    fc.assert(
      fc.property(
        rates,
        fc.array(fc.double({ min: 0, max: 5000, noNaN: true }), { maxLength: 300 }),
        (rate, pauses) => {
          let [now, fullAt] = [1e6, 0]
          const admitted: number[] = []
          for (const pause of pauses) {
            now += pause
            const result = drip(rate, fullAt, now)
            fullAt = result.fullAt
            if (result.verdict.admitted) admitted.push(now)
            else expect(drip(rate, fullAt, now + result.verdict.retryAfter_ms).verdict.admitted).toBe(true)
          }
          admitted.forEach((from, first) => {
            const last = admitted.length - 1
            const allowed = rate.requests + ((admitted[last] ?? from) - from) / ((rate.seconds * 1000) / rate.requests)
            expect(last - first + 1).toBeLessThanOrEqual(allowed + 1e-3)
          })
        },
      ),
    )
  })
  it('says how many it would still admit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 0, max: 250 }),
        (requests, seconds, taken) => {
          let fullAt = 0
          let remaining = requests
          for (let count = 0; count < taken; count += 1) {
            const result = drip({ requests, seconds }, fullAt, 50)
            fullAt = result.fullAt
            remaining = result.verdict.remaining
          }
          expect(remaining).toBe(Math.max(0, requests - taken))
        },
      ),
    )
  })
})

describe('the table of buckets', () => {
  const rate = { requests: 3, seconds: 3 }
  it('drops a bucket once it is full again', () => {
    const table = bucketTable(100)
    times(10, (index) => table.take(`k${index}`, rate, 0))
    expect(table.size).toBe(10)
    table.take('other', rate, 2001)
    expect(table.size).toBe(1)
  })
  it('is bounded, and forgets no offender for the sake of new keys', () => {
    const table = bucketTable(10)
    times(4, () => table.take('offender', rate, 0))
    times(1000, (index) => table.take(`new ${index}`, rate, 1))
    expect(table.size).toBe(10)
    expect(table.take('offender', rate, 2).admitted).toBe(false)
  })
  it('refuses a new key where all are offenders', () => {
    const table = bucketTable(2)
    for (const key of ['a', 'b']) times(3, () => table.take(key, rate, 0))
    expect(table.take('c', rate, 1).admitted).toBe(false)
    expect(table.take('c', rate, 1001).admitted).toBe(true)
    expect(table.size).toBe(2)
  })
  it('fills a bucket that is reset, and knows it no more', () => {
    const table = bucketTable(2)
    times(5, () => table.take('one', { requests: 5, seconds: 10 }, 0))
    times(5, () => table.take('other', { requests: 5, seconds: 10 }, 0))
    table.reset('one')
    table.reset('nobody')
    expect(table.size).toBe(1)
    const again = times(6, () => table.take('one', { requests: 5, seconds: 10 }, 0).admitted)
    expect(again).toEqual([true, true, true, true, true, false])
    expect(table.take('other', { requests: 5, seconds: 10 }, 0).admitted).toBe(false)
    table.take('one', { requests: 5, seconds: 10 }, 11_000)
    expect(table.size).toBe(1)
  })
  it('behaves as if it had no bound, as long as it is not full', () => {
    const steps = fc.array(fc.tuple(fc.nat(5), fc.integer({ min: 0, max: 1500 })), { maxLength: 200 })
    fc.assert(
      fc.property(steps, (taken) => {
        const table = bucketTable(100)
        const model = new Map<string, number>()
        let now = 0
        for (const [key, pause] of taken) {
          now += pause
          const expected = drip(rate, model.get(`${key}`) ?? 0, now)
          model.set(`${key}`, expected.fullAt)
          expect(table.take(`${key}`, rate, now)).toEqual(expected.verdict)
        }
        expect(table.size).toBeLessThanOrEqual(6)
      }),
    )
  })
})

describe('whom a bucket belongs to', () => {
  it('is the account and its kind of credential, for a bearer the application too', async () => {
    const identities = await Promise.all(
      [adaToken, bobToken, robot, bearer('guilds')].map(async (token) =>
        identityOf(await resolveCredential(token, { adminKeys: false, schemesInAnyCase: false }), '192.0.2.1'),
      ),
    )
    expect(identities).toEqual(['session 1001', 'session 1002', 'bot 2001', 'bearer 1001 3001'])
  })
  it.each([
    ['192.0.2.1', '192.0.2.2', false],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['2001:db8:1:2::1', '2001:0DB8:0001:0002:0:0:0:1', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['::1', '::2', true],
    ['::1', '192.0.2.1', false],
  ])('is without an account the address, and of IPv6 the /64: %s and %s', (one, other, same) => {
    expect(identityOf(undefined, one) === identityOf(undefined, other)).toBe(same)
  })
})

describe('an allowance', () => {
  it('admits so many of a key, apart from other keys and names, and says when one more', async () => {
    const ms = clock()
    const allowances = allowancesOver(memoryRateLimits({ now: ms.now }))
    const rate = { requests: 5, seconds: 900 }
    const login = (key: string) => allowances.take('login', key, rate)
    expect(await Promise.all(times(6, () => login('ada')))).toEqual([
      ...times(5, () => ({ allowed: true })),
      { allowed: false, retryAfterSeconds: 180 },
    ])
    expect(await login('bob')).toEqual({ allowed: true })
    expect(await allowances.take('register', 'ada', rate)).toEqual({ allowed: true })
    ms.pass(180_000)
    expect(await Promise.all([login('ada'), login('ada')])).toEqual([
      { allowed: true },
      { allowed: false, retryAfterSeconds: 180 },
    ])
  })
  it('can be looked at, which charges nothing, and says the same as a charge would', async () => {
    const ms = clock()
    const allowances = allowancesOver(memoryRateLimits({ now: ms.now }))
    const rate = { requests: 1, seconds: 10 }
    expect(await Promise.all(times(3, () => allowances.look('guess', 'ada', rate)))).toEqual(
      times(3, () => ({ allowed: true })),
    )
    expect(await allowances.take('guess', 'ada', rate)).toEqual({ allowed: true })
    expect(await allowances.look('guess', 'ada', rate)).toEqual({ allowed: false, retryAfterSeconds: 10 })
    expect(await allowances.look('guess', 'bob', rate)).toEqual({ allowed: true })
    ms.pass(10_000)
    expect(await allowances.look('guess', 'ada', rate)).toEqual({ allowed: true })
  })
  it('is never used up where limits are off', async () => {
    const allowances = allowancesOver('off')
    const rate = { requests: 1, seconds: 3600 }
    const answers = await Promise.all([
      ...times(3, () => allowances.take('guess', 'ada', rate)),
      allowances.look('guess', 'ada', rate),
    ])
    expect(answers).toEqual(times(4, () => ({ allowed: true })))
  })
})
