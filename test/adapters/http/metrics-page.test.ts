import { Gauge, Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { memoryRateLimits } from '../../../adapters/http/limits/rate-limits.ts'
import { openStatusServer } from '../../../adapters/http/server/open-http-server.ts'
import { readSettings } from '../../../process/settings/settings.ts'
import { refusal } from '../../../domain/kernel/refusal.ts'
import { pino } from 'pino'
import { afterThisTest, codesOf, startServer } from './support.ts'

const token = 'a-token-of-the-operator'

describe('the page of metrics', () => {
  it('is made once a second, however often it is asked for', async () => {
    const metrics = new Registry()
    let made = 0
    const counting = new Gauge({ name: 'made', help: 'x', registers: [metrics], collect: () => void (made += 1) })
    expect(counting).toBeDefined()
    const server = await startServer([], { metrics })
    await Promise.all(Array.from({ length: 50 }, async () => (await server.fetch('/_metrics')).text()))
    expect(made).toBeLessThanOrEqual(3)
    const before = made
    await expect
      .poll(async () => (await (await server.fetch('/_metrics')).text()) !== '' && made)
      .toBeGreaterThan(before)
  })

  it('has a bucket for each address', async () => {
    const server = await startServer([], { rateLimits: memoryRateLimits() })
    const answers = await Promise.all(Array.from({ length: 30 }, () => server.fetch('/_metrics')))
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(refused).toHaveLength(10)
    expect(await codesOf(refused[0] as Response)).toEqual(['429 RATE_LIMITED'])
    expect(refused[0]?.headers.get('retry-after')).toBe('1')
    expect((await server.fetch('/_health')).status).toBe(200)
  })

  it('is not for banned networks, which may still ask for health', async () => {
    const gate = {
      refusalOf: () => refusal('GLOBAL_IP_BANNED'),
      onChange: () => () => undefined,
      answered: () => undefined,
    }
    const server = await startServer([], { gate })
    expect((await server.fetch('/_metrics')).status).toBe(403)
    expect((await server.fetch('/_health')).status).toBe(200)
  })

  it('asks for METRICS_TOKEN behind Bearer, where that is set, in every role', async () => {
    const { port } = await openStatus()
    const server = await startServer([], { metricsToken: token })
    for (const url of [server.url, `http://127.0.0.1:${port}`]) {
      const ask = (authorization?: string) =>
        fetch(`${url}/_metrics`, { headers: authorization === undefined ? {} : { authorization } })
      for (const wrong of [undefined, token, `Bearer ${token}x`, `Bearer ${token.slice(1)}`, `bearer ${token}`])
        expect(await codesOf(await ask(wrong))).toEqual(['401 UNAUTHORIZED'])
      expect((await ask(`Bearer ${token}`)).status).toBe(200)
    }
  })

  it('takes 16 to 256 characters without spaces for a token', () => {
    expect(readSettings({}).metricsToken).toBeUndefined()
    expect(readSettings({ METRICS_TOKEN: token }).metricsToken).toBe(token)
    for (const wrong of ['short', 'with a space in between', 'x'.repeat(257)])
      expect(() => readSettings({ METRICS_TOKEN: wrong })).toThrow('METRICS_TOKEN: must be 16-256')
  })
})

async function openStatus() {
  const logger = pino({ level: 'silent' })
  const server = await openStatusServer({ logger, metrics: new Registry(), version: '1', metricsToken: token })
  afterThisTest(() => server.close())
  return server.listen({ host: '127.0.0.1', port: 0 })
}
