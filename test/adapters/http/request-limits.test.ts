import { describe, expect, it } from 'vitest'
import { anyone } from '../../../adapters/http/callers.ts'
import { perUser, perUserAnd } from '../../../adapters/http/bucket.ts'
import { allowancesOver } from '../../../adapters/http/limits/allowances.ts'
import { costs_max } from '../../../adapters/http/limits/costs.ts'
import { memoryRateLimits } from '../../../adapters/http/limits/rate-limits.ts'
import { operation } from '../../../adapters/http/operation.ts'
import { z } from 'zod'
import { clock, times } from './limits-support.ts'
import { getThing, guarded } from './operations.ts'
import { adaToken, bearer, bobToken, fastToken, freeToken, robot, startServer, type TestServer } from './support.ts'

const statuses = async (requests: readonly Promise<Response>[]) =>
  (await Promise.all(requests)).map(({ status }) => status)
const limited = (rate: { requests: number; seconds: number }) =>
  operation({ ...declaration, bucket: perUser('test:limited', rate) })
const declaration = {
  name: 'Limited',
  description: 'Does what a test asks for.',
  route: 'GET /v1/limited',
  callers: anyone(),
  replies: { 200: z.object({}) },
  handle: async () => ({}),
} as const

describe('a route’s bucket', () => {
  const rate = { requests: 3, seconds: 60 }
  const limitedServer = (ms = clock()) =>
    startServer([limited(rate)], { rateLimits: memoryRateLimits({ now: ms.now }) })

  it('refuses one request too many with 429, and says when to come again', async () => {
    const server = await limitedServer()
    expect(await statuses(times(3, () => server.fetch('/v1/limited')))).toEqual([200, 200, 200])
    const response = await server.fetch('/v1/limited')
    const { headers } = response
    expect(response.status).toBe(429)
    expect(await response.json()).toEqual({
      code: 'RATE_LIMITED',
      message: expect.any(String),
      global: false,
      retry_after: 20,
    })
    expect(Object.fromEntries([...headers].filter(([name]) => /^(x-ratelimit|retry)/.test(name)))).toEqual({
      'retry-after': '20',
      'x-ratelimit-scope': 'user',
      'x-ratelimit-limit': '3',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
      'x-ratelimit-reset-after': '60',
      'x-ratelimit-bucket': expect.stringMatching(/^[0-9a-f]{16}$/),
    })
    expect(Math.abs(Number(headers.get('x-ratelimit-reset')) - (Date.now() / 1000 + 60))).toBeLessThan(3)
  })
  it('admits one more after that time', async () => {
    const ms = clock()
    const server = await limitedServer(ms)
    await statuses(times(4, () => server.fetch('/v1/limited')))
    ms.pass(19_999)
    expect((await server.fetch('/v1/limited')).status).toBe(429)
    ms.pass(1)
    expect(await statuses([server.fetch('/v1/limited'), server.fetch('/v1/limited')])).toEqual(
      expect.arrayContaining([200, 429]),
    )
  })
  it('is exact when 64 come at once', async () => {
    const server = await startServer([limited({ requests: 10, seconds: 3600 })], { rateLimits: memoryRateLimits() })
    const all = await statuses(times(64, () => server.fetch('/v1/limited', { token: fastToken })))
    expect(all.filter((status) => status === 200)).toHaveLength(10)
    expect(all.filter((status) => status === 429)).toHaveLength(54)
  })
  it('is one for GET and HEAD', async () => {
    const server = await limitedServer()
    expect(await statuses(times(3, () => server.fetch('/v1/limited', { method: 'HEAD' })))).toEqual([200, 200, 200])
    expect((await server.fetch('/v1/limited')).status).toBe(429)
  })
  it('is one for each identity', async () => {
    const server = await limitedServer()
    await statuses(times(4, () => server.fetch('/v1/limited', { token: adaToken })))
    expect(
      await statuses(
        [adaToken, `Bearer ${adaToken}`, bobToken, bearer('x'), `gld_${'z'.repeat(36)}`].map((token) =>
          server.fetch('/v1/limited', { token }),
        ),
      ),
    ).toEqual([429, 429, 200, 200, 200])
  })
  it('stands before the check of callers and the checks of input', async () => {
    const closed = operation({
      ...declaration,
      callers: { kind: 'account', bots: false, scope: null, console: false },
      bucket: perUser('test:limited', rate),
    })
    const server = await startServer([closed], { rateLimits: memoryRateLimits() })
    expect(await statuses(times(3, () => server.fetch('/v1/limited')))).toEqual([401, 401, 401])
    expect((await server.fetch('/v1/limited')).status).toBe(429)
  })
  it('is shared by operations that name the same one', async () => {
    const other = operation({
      ...declaration,
      name: 'Other',
      route: 'DELETE /v1/limited',
      bucket: perUser('test:limited', rate),
    })
    const server = await startServer([limited(rate), other], { rateLimits: memoryRateLimits() })
    await statuses(times(3, () => server.fetch('/v1/limited')))
    expect((await server.fetch('/v1/limited', { method: 'DELETE' })).status).toBe(429)
  })
  it('is parted by the value of its parameter, however that is written', async () => {
    const server = await startServer([getThing], { rateLimits: memoryRateLimits({ now: clock().now }) })
    await statuses(times(10, () => server.fetch('/v1/things/1')))
    expect(await statuses(['1', '%31', '%201', '2'].map((id) => server.fetch(`/v1/things/${id}`)))).toEqual([
      429, 429, 429, 200,
    ])
  })
  it('has one part for all values that can’t be one', async () => {
    const server = await startServer([getThing], { rateLimits: memoryRateLimits({ now: clock().now }) })
    expect(await statuses(times(12, (index) => server.fetch(`/v1/things/x${index}`)))).toEqual([
      ...times(10, () => 400),
      429,
      429,
    ])
  })
  it('cannot name a parameter that its path lacks', () => {
    expect(() => operation({ ...declaration, bucket: perUserAnd('x::thing_id', 'thing_id', rate) })).toThrow('thing_id')
  })
})

describe('the headers of success', () => {
  const headersFor = async (token: string) => {
    const server = await startServer([limited({ requests: 5, seconds: 10 })], {
      rateLimits: memoryRateLimits({ now: clock().now }),
    })
    const { headers } = await server.fetch('/v1/limited', { token })
    return Object.fromEntries([...headers].filter(([name]) => name.startsWith('x-ratelimit')))
  }
  it('tell a bot how its bucket stands, and what its requests may still take', async () => {
    expect(await headersFor(robot)).toEqual({
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '4',
      'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
      'x-ratelimit-reset-after': '2',
      'x-ratelimit-bucket': expect.stringMatching(/^[0-9a-f]{16}$/),
      'x-ratelimit-milliseconds-remaining': String(costs_max.processor_ms),
      'x-ratelimit-bytes-remaining': String(costs_max.bytes),
    })
  })
  it('tell nobody else', async () => {
    expect(await headersFor(adaToken)).toEqual({})
    expect(await headersFor(bearer('x'))).toEqual({})
  })
})

describe('the global bucket', () => {
  const wide = () => limited({ requests: 10_000, seconds: 1 })
  const admittedOf = async (server: TestServer, count: number, token: string) =>
    (await statuses(times(count, () => server.fetch('/v1/limited', { token })))).filter((status) => status === 200)
      .length

  it('admits 50 a second of an identity, before any route’s bucket', async () => {
    const server = await startServer([wide(), guarded(anyone())], {
      rateLimits: memoryRateLimits({ now: clock().now }),
    })
    expect(await admittedOf(server, 60, adaToken)).toBe(50)
    const response = await server.fetch('/v1/guarded', { token: adaToken })
    expect(Object.fromEntries([...response.headers].filter(([name]) => /^(x-ratelimit|retry)/.test(name)))).toEqual({
      'retry-after': '1',
      'x-ratelimit-scope': 'global',
      'x-ratelimit-global': 'true',
    })
    expect(await response.json()).toEqual({
      code: 'RATE_LIMITED',
      message: expect.any(String),
      global: true,
      retry_after: 0.02,
    })
    expect(await admittedOf(server, 1, bobToken)).toBe(1)
  })
  it('admits 1200 a second with HIGH_GLOBAL_RATE_LIMIT', async () => {
    const server = await startServer([wide()], { rateLimits: memoryRateLimits({ now: clock().now }) })
    // No more at once than one identity may have in progress.
    let admitted = 0
    for (let batch = 0; batch < 22; batch += 1) admitted += await admittedOf(server, 55, fastToken)
    expect(admitted).toBe(1200)
  })
  it('and every other one is lifted by RATE_LIMIT_BYPASS, without headers', async () => {
    const server = await startServer([limited({ requests: 1, seconds: 60 })], { rateLimits: memoryRateLimits() })
    expect(await admittedOf(server, 60, freeToken)).toBe(60)
  })
  it('takes nothing from the route’s bucket when it refuses', async () => {
    const ms = clock()
    const server = await startServer([wide(), guarded(anyone())], { rateLimits: memoryRateLimits({ now: ms.now }) })
    await admittedOf(server, 50, adaToken)
    await statuses(times(20, () => server.fetch('/v1/guarded', { token: adaToken })))
    ms.pass(1000)
    expect(await statuses(times(10, () => server.fetch('/v1/guarded', { token: adaToken })))).toEqual(
      times(10, () => 200),
    )
  })
  it('does not end the session that it refuses', async () => {
    const ms = clock()
    const server = await startServer([wide()], { rateLimits: memoryRateLimits({ now: ms.now }) })
    await admittedOf(server, 60, adaToken)
    ms.pass(1000)
    expect(await admittedOf(server, 1, adaToken)).toBe(1)
  })
})

describe('RATE_LIMITS=off', () => {
  it('lifts every bucket and allowance', async () => {
    const server = await startServer([limited({ requests: 1, seconds: 60 })], { rateLimits: 'off' })
    const response = await server.fetch('/v1/limited', { token: robot })
    expect([...response.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
    expect(await statuses(times(70, () => server.fetch('/v1/limited', { token: adaToken })))).toEqual(
      times(70, () => 200),
    )
    const allowances = allowancesOver('off')
    expect(await Promise.all(times(9, () => allowances.take('login', 'ada', { requests: 1, seconds: 60 })))).toEqual(
      times(9, () => ({ allowed: true })),
    )
  })
})
