import { describe, expect, it, vi } from 'vitest'
import { PostgresUnavailable } from '../../adapters/postgres/postgres-unavailable.ts'
import { sayingOutages } from '../../cli/watch/said-outages.ts'

describe('what a command says that goes on while a server is away', () => {
  it('is a line as the outage begins and one as it is over, and every other error', () => {
    const lines: string[] = []
    const spy = vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(String(line)))
    const { report, close } = sayingOutages((line) => lines.push(line))
    try {
      report(new PostgresUnavailable('away'))
      report(new Error('something else'))
      report(new PostgresUnavailable('away'))
      close()
    } finally {
      spy.mockRestore()
    }
    expect(lines).toStrictEqual(['postgres: an outage begins', 'something else', 'postgres: an outage is over'])
  })
})
