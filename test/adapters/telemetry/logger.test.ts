import { describe, expect, it } from 'vitest'
import type { Logger } from 'pino'
import { z } from 'zod'
import { countOutages, openLogger } from '../../../adapters/telemetry/open-logger.ts'
import { openOutages } from '../../../application/health/open-outages.ts'
import { Unavailable } from '../../../application/failures/unavailable.ts'

/** The log lines of a call; each must be JSON. */
function logged(write: (logger: ReturnType<typeof openLogger>) => void, level = 'info'): string {
  const lines: string[] = []
  write(openLogger(level, { write: (line: string) => void lines.push(line) }))
  for (const line of lines)
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), time: expect.stringMatching(/Z$/) })
  return lines.join('')
}

describe('the log', () => {
  it.each([
    ['a session token', `gld_${'aB3'.repeat(12)}`],
    ['an Admin key', `gla_123_${'aB3d'.repeat(8)}`],
    ['a bot token', `1234567890123456789.${'a-_Z9'.repeat(8)}xyz`],
    ['an OAuth2 token', 'a-_Z9'.repeat(8) + 'xyz'],
    ['a sudo proof', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'],
    ['an address', 'some.body+tag@mail.example.com'],
  ])('shows no %s, wherever it stands', (_, secret) => {
    const text = logged((logger) => {
      logger.info(secret)
      logger.error(
        { error: { message: `broken:\n${secret}\n${secret}`, list: [secret] }, [secret]: 1 },
        `with "${secret}"`,
      )
      logger.child({ of: secret }).warn(new Error(`about ${secret}`))
    })
    expect(text).not.toContain(secret)
    expect(text).toContain('[redacted]')
  })
  it('shows no password of a server', () => {
    const text = logged((logger) => logger.info('postgres://user:canary@db.example/guildhall'))
    expect(text).not.toContain('canary')
  })
  it.each(['authorization', 'password', 'token', 'email', 'mfa_code', 'headers', 'body'])(
    'shows no value of a member called %s',
    (name) => {
      const text = logged((logger) =>
        logger.info({ [name]: 'canary', request: { [name]: 'canary', more: { [name]: { deep: 'canary' } } } }),
      )
      expect(text).not.toContain('canary')
    },
  )
  it.each(['detail', 'where'])('shows no %s of an error of Postgres, which may hold values of rows', (name) => {
    const members = { code: '23505', [name]: 'Key (username)=(canary)' }
    const error = Object.assign(new Error('duplicate key'), members)
    const text = logged((logger) => {
      logger.error({ err: error }, 'failed')
      logger.error({ error: { ...members, message: error.message } }, 'failed')
      logger.warn(error)
    })
    expect(text).not.toContain('canary')
    expect(text).toContain('"code":"23505"')
  })
  it('shows what is no secret', () => {
    const text = logged((logger) =>
      logger.info({ requestId: 'abc', guild: '1234567890123456789', error: { code: '23505' } }, 'done'),
    )
    expect(text).toContain('"guild":"1234567890123456789"')
    expect(text).toContain('"code":"23505"')
  })
  it('shows nothing below its level', () => {
    expect(logged((logger) => logger.info('x'), 'warn')).toBe('')
  })
})

describe('the log of an outage', () => {
  class StoreUnavailable extends Unavailable {
    override readonly name = 'StoreUnavailable'
    override readonly part = 'event store'
  }
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })

  function during(write: (logger: Logger) => void): readonly Readonly<Record<string, unknown>>[] {
    return linesOf(
      logged((logger) => {
        const outages = openOutages({ log: logger })
        countOutages(logger, outages)
        write(logger)
        outages.close()
      }),
    )
  }

  it('has one line where it begins and one where it is over, with the count, whoever tells of it', () => {
    const lines = during((logger) => {
      for (let request = 0; request < 100; request += 1) {
        logger.error({ err: refused }, 'a part of the server reported a failure')
        logger
          .child({ child: true })
          .warn({ err: new StoreUnavailable('no answer'), turn: request }, 'could not answer')
      }
    })
    expect(lines.map(({ msg, part, failures, turn }) => ({ msg, part, failures, turn }))).toEqual([
      { msg: 'an outage begins', part: 'postgres' },
      { msg: 'an outage begins', part: 'event store', turn: 0 },
      { msg: 'an outage is over', part: 'postgres', failures: 100 },
      { msg: 'an outage is over', part: 'event store', failures: 100 },
    ])
  })

  it('has every line about anything else meanwhile', () => {
    const lines = during((logger) => {
      for (let time = 0; time < 3; time += 1) {
        logger.error({ err: refused }, 'a part of the server reported a failure')
        logger.error({ err: new Error('a fault') }, 'failed to answer')
      }
    })
    expect(lines.filter(({ msg }) => msg === 'failed to answer')).toHaveLength(3)
  })
})

const linesOf = (text: string): readonly Readonly<Record<string, unknown>>[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => z.record(z.string(), z.unknown()).parse(JSON.parse(line)))
