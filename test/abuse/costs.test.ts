import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { anyone } from '../../adapters/http/callers.ts'
import { perUser } from '../../adapters/http/bucket.ts'
import { costs_max, costsOf, share_ms } from '../../adapters/http/limits/costs.ts'
import { openPostgresRateLimits } from '../../adapters/http/limits/postgres-rate-limits.ts'
import { memoryRateLimits } from '../../adapters/http/limits/rate-limits.ts'
import { none, operation } from '../../adapters/http/operation.ts'
import { openDatabase } from '../../adapters/postgres/database.ts'
import { clock, times } from '../adapters/http/limits-support.ts'
import {
  adaToken,
  afterThisTest,
  bobToken,
  fastToken,
  freeToken,
  robot,
  startServer,
} from '../adapters/http/support.ts'
import { openServer } from '../operations/support/scene.ts'
import { found } from '../operations/support/answers.ts'
import { migratedDatabase } from '../support/test-database.ts'

/** Requests that are within the count limits but cost more than others, in bytes or processor time. */

const MiB = 1024 * 1024
const often = perUser('test:often', { requests: 1000, seconds: 1 })

/** Answers with this many MiB. */
const bulky = (size_MiB: number) =>
  operation({
    name: 'Bulky',
    description: 'Does what a test asks for.',
    route: 'GET /v1/bulky',
    callers: anyone(),
    bucket: often,
    replies: { 200: z.object({ text: z.string() }) },
    handle: async () => ({ text: 'x'.repeat(size_MiB * MiB) }),
  })

afterEach(() => void vi.restoreAllMocks())

/**
 * Takes this long on the event loop, by the clock that the server reads next, which is when it measures the handler. Computing
 * that long took 22 s of the processor.
 */
const slow = (busy_ms: number) =>
  operation({
    name: 'Slow',
    description: 'Does what a test asks for.',
    route: 'POST /v1/slow',
    callers: anyone(),
    bucket: often,
    body: z.object({ text: z.string().optional() }),
    replies: { 204: none },
    handle: async () => {
      const done_ms = performance.now() + busy_ms
      vi.spyOn(performance, 'now').mockReturnValueOnce(done_ms)
    },
  })

const limited = () => ({ rateLimits: memoryRateLimits(), checkReplies: false })

describe("the cost of an identity's requests", () => {
  // Time stands still, so nothing refills between two requests, however slow the machine is.
  beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(performance.now()))

  it('is refused once its answers exceed the bytes that it may take, while others are served', async () => {
    const size_MiB = (costs_max.bytes * 0.75) / MiB
    const server = await startServer([bulky(size_MiB)], limited())
    const read = (token?: string) => server.fetch('/v1/bulky', token === undefined ? {} : { token })
    // The bodies are left unread. They are charged before they are sent, and the budget would refill while they are read.
    const admitted = [await read(adaToken), await read(adaToken)]
    expect(admitted.map(({ status }) => status)).toEqual([200, 200])
    const refused = await read(adaToken)
    const told = Object.fromEntries([...refused.headers].filter(([name]) => /^(x-ratelimit|retry)/.test(name)))
    const body = (await refused.json()) as { readonly retry_after: number }
    expect(refused.status).toBe(429)
    expect(body).toMatchObject({ code: 'RATE_LIMITED', global: false })
    expect(body.retry_after).toBeGreaterThan(0)
    expect(body.retry_after).toBeLessThanOrEqual(costs_max.seconds)
    expect(told).toEqual({
      'retry-after': String(Math.ceil(body.retry_after)),
      'x-ratelimit-scope': 'user',
      'x-ratelimit-limit': String(costs_max.bytes),
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
      'x-ratelimit-reset-after': expect.stringMatching(/^\d+(\.\d+)?$/),
      'x-ratelimit-bucket': expect.stringMatching(/^[0-9a-f]{16}$/),
      'x-ratelimit-unit': 'bytes',
    })
    const others = [await read(bobToken), await read(), await read(freeToken)]
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200])
    for (const { body: unread } of [...admitted, ...others]) await unread?.cancel()
  })

  it('counts the bytes of its request bodies, including refused ones', async () => {
    const server = await startServer([slow(0)], limited())
    const body = JSON.stringify({ text: 5, padding: 'x'.repeat(MiB - 100) })
    const send = async () => (await server.fetch('/v1/slow', { method: 'POST', token: adaToken, body })).status
    const statuses = new Set<number>()
    for (let batches = 0; batches < 30 && !statuses.has(429); batches += 1)
      for (const status of await Promise.all(times(16, send))) statuses.add(status)
    expect(statuses).toEqual(new Set([400, 429]))
  })

  it('is refused once it has used more processor time than it may', async () => {
    const server = await startServer([slow(costs_max.processor_ms * 2)], limited())
    const send = (token: string) => server.fetch('/v1/slow', { method: 'POST', token })
    expect((await send(adaToken)).status).toBe(204)
    const refused = await send(adaToken)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('x-ratelimit-unit')).toBe('milliseconds')
    expect(refused.headers.get('x-ratelimit-limit')).toBe(String(costs_max.processor_ms))
    expect((await send(bobToken)).status).toBe(204)
  })

  it('has a higher limit for accounts with higher rate limits, and the answer tells bots so', async () => {
    const server = await startServer([slow(costs_max.processor_ms + 100)], limited())
    const send = (token: string) => server.fetch('/v1/slow', { method: 'POST', token })
    for (const token of [fastToken, fastToken, freeToken, freeToken]) expect((await send(token)).status).toBe(204)
    const { headers } = await send(robot)
    expect(headers.get('x-ratelimit-milliseconds-remaining')).toBe(String(costs_max.processor_ms))
    expect(headers.get('x-ratelimit-bytes-remaining')).toBe(String(costs_max.bytes))
  })

  it('is not limited without RATE_LIMITS', async () => {
    const server = await startServer([slow(costs_max.processor_ms + 100)])
    const send = () => server.fetch('/v1/slow', { method: 'POST', token: adaToken })
    expect([(await send()).status, (await send()).status]).toEqual([204, 204])
  })
})

describe('the buckets of costs', () => {
  const ada = { identity: 'session 1', times: 1 }
  const verdicts = (costs: ReturnType<typeof costsOf>, payer = ada) => costs.look(payer).map(({ verdict }) => verdict)
  const alone = (ms: ReturnType<typeof clock>) => costsOf({ now: ms.now, onError: () => undefined })

  it('refill within ten seconds, a part at a time', () => {
    const ms = clock()
    const costs = alone(ms)
    costs.charge(ada, { processor_ms: costs_max.processor_ms * 0.75, bytes: 0 })
    expect(verdicts(costs).map(({ admitted }) => admitted)).toEqual([true, true])
    costs.charge(ada, { processor_ms: costs_max.processor_ms * 0.75, bytes: 0 })
    expect(verdicts(costs)[0]).toMatchObject({ admitted: false, remaining: 0 })
    ms.pass(5000)
    expect(verdicts(costs)[0]?.admitted).toBe(false)
    ms.pass(10)
    expect(verdicts(costs)[0]?.admitted).toBe(true)
    ms.pass(costs_max.seconds * 1000)
    expect(verdicts(costs)[0]?.remaining).toBe(costs_max.processor_ms)
  })

  it('are overdrawn by one request for a minute at most, even if the machine slept', () => {
    const ms = clock()
    const costs = alone(ms)
    costs.charge(ada, { processor_ms: 3_600_000, bytes: Number.MAX_SAFE_INTEGER })
    ms.pass(49_000)
    expect(verdicts(costs).map(({ admitted }) => admitted)).toEqual([false, false])
    ms.pass(1010)
    expect(verdicts(costs).map(({ admitted }) => admitted)).toEqual([true, true])
  })

  it("are shared by several processes, with a moment's delay", async () => {
    const postgres = await migratedDatabase()
    const open = async () => {
      const database = openDatabase(postgres.connection, { connections_max: 3 })
      const { chargeTogether, close } = openPostgresRateLimits({ database })
      const costs = costsOf({
        onError: (error) => expect(error).toBeUndefined(),
        ...(chargeTogether && { chargeTogether }),
      })
      return { costs, close: async () => (await costs.close(), await close(), await database.close()) }
    }
    const [one, other] = [await open(), await open()]
    afterThisTest(() => postgres.close())
    afterThisTest(async () => void (await Promise.all([one.close(), other.close()])))
    const most = { processor_ms: costs_max.processor_ms * 0.9, bytes: 1000 }
    one.costs.charge(ada, most)
    other.costs.charge(ada, most)
    expect([...verdicts(one.costs), ...verdicts(other.costs)].every(({ admitted }) => admitted)).toBe(true)
    // A process learns of the other's charges with its next own charge.
    const refusedAtBoth = () => {
      for (const { costs } of [one, other]) costs.charge(ada, { processor_ms: 1, bytes: 1 })
      return [one, other].map(({ costs }) => verdicts(costs)[0]?.admitted)
    }
    await expect.poll(refusedAtBoth, { interval: share_ms }).toEqual([false, false])
    expect(verdicts(other.costs, { identity: 'session 2', times: 1 })[0]?.remaining).toBe(costs_max.processor_ms)
  })
})

describe('ordinary use', async () => {
  const guildhall = await openServer({ rateLimits: true })

  it('stays far below what an identity may take', async () => {
    const ada = await guildhall.register()
    const guild = await found(guildhall, ada)
    const answers = await Promise.all(
      times(40, () => guildhall.request('GET', `/v1/guilds/${guild.id}`, { token: ada.token })),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  })
})
