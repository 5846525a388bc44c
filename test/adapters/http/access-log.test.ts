import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { accounts } from '../../../adapters/http/callers.ts'
import { guarded } from './operations.ts'
import { adaToken, startServer } from './support.ts'

type Line = Readonly<Record<string, unknown>>

function logOf(level: string) {
  const lines: Line[] = []
  const logger = pino({ level, base: null }, { write: (line: string) => void lines.push(JSON.parse(line) as Line) })
  return { logger, answered: () => lines.filter(({ msg }) => msg === 'answered') }
}

describe('the access log', () => {
  it('has a line for each request: its id, operation, status, duration and account', async () => {
    const { logger, answered } = logOf('info')
    const server = await startServer([guarded(accounts())], { logger, accessLog: true })
    await server.fetch('/v1/guarded?token=secret', { token: adaToken, headers: { 'x-request-id': 'one' } })
    await server.fetch('/v1/guarded', { headers: { 'x-request-id': 'two' } })
    await expect.poll(() => answered().length).toBe(2)
    const ours = expect.stringMatching(/^[0-9a-f-]{36}$/)
    expect(answered()).toMatchObject([
      {
        requestId: ours,
        clientRequestId: 'one',
        operation: 'guarded',
        status: 200,
        accountId: expect.stringMatching(/^\d+$/),
      },
      { requestId: ours, clientRequestId: 'two', operation: 'guarded', status: 401 },
    ])
    for (const line of answered()) expect(line['duration_ms']).toBeGreaterThanOrEqual(0)
    expect(answered()[1]).not.toHaveProperty('accountId')
    expect(JSON.stringify(answered())).not.toMatch(/secret|127\.0\.0\.1/)
  })

  it('is off unless it is asked for: the lines are at level debug then', async () => {
    const [info, debug] = [logOf('info'), logOf('debug')]
    for (const { logger } of [info, debug]) {
      const server = await startServer([guarded(accounts())], { logger })
      await server.fetch('/v1/guarded', { token: adaToken })
    }
    await expect.poll(() => debug.answered().length).toBe(1)
    expect(info.answered()).toEqual([])
  })
})
