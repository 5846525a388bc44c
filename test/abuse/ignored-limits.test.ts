import { describe, expect, it } from 'vitest'
import { refusalRate } from '../../adapters/http/brakes/late-answers.ts'
import { anyone } from '../../adapters/http/callers.ts'
import { memoryRateLimits } from '../../adapters/http/limits/rate-limits.ts'
import { guarded } from '../adapters/http/operations.ts'
import { afterThisTest, startServer } from '../adapters/http/support.ts'
import { clientAt } from './support/flood/client-at.ts'

/** Clients that send on although they were told to wait. */

const beyondAll = 400

describe('a client that ignores 429', () => {
  it('gets its refusals late and loses its connections, and nobody else does', async () => {
    const server = await startServer([guarded(anyone())], { rateLimits: memoryRateLimits() })
    const insistent = clientAt(server.url, '127.0.0.9')
    afterThisTest(() => insistent.close())
    const seen: string[] = []
    for (let sent = 0; sent < beyondAll; sent += 1)
      void insistent.send('GET', '/v1/nowhere').then(
        ({ status }) => seen.push(String(status)),
        () => seen.push('closed'),
      )
    await expect.poll(() => seen.filter((each) => each === '404').length).toBeGreaterThanOrEqual(200)
    await expect.poll(() => seen.filter((each) => each === '429').length).toBeGreaterThanOrEqual(refusalRate.requests)
    for (let sent = 0; sent < beyondAll; sent += 1)
      void insistent.send('GET', '/v1/nowhere').catch(() => seen.push('closed'))
    await expect.poll(() => seen.includes('closed')).toBe(true)
    const other = clientAt(server.url, '127.0.0.8')
    afterThisTest(() => other.close())
    expect((await other.send('GET', '/v1/nowhere')).status).toBe(404)
  })

  it('is answered at once when the server ends', async () => {
    const server = await startServer([guarded(anyone())], { rateLimits: memoryRateLimits() })
    const insistent = clientAt(server.url, '127.0.0.9')
    afterThisTest(() => insistent.close())
    const seen: number[] = []
    const answers = Array.from({ length: 400 }, async () => {
      const { status } = await insistent.send('GET', '/v1/nowhere')
      seen.push(status)
    })
    const all = Promise.allSettled(answers)
    await expect.poll(() => seen.filter((status) => status === 429).length).toBeGreaterThanOrEqual(10)
    expect(await server.drain()).toBe(true)
    await all
  })
})
