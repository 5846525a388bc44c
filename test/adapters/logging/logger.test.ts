import { describe, expect, it } from 'vitest'
import { openLogger } from '../../../adapters/logging/open-logger.js'

/** What a line is made of; each has to be JSON. */
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
