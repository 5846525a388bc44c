import { describe, expect, it } from 'vitest'
import { sessionTokenHash } from '../../application/identity/tokens/session-token.ts'
import { field } from '../../domain/kernel/refusal.ts'
import { expectFields, expectRefusal, bodyOf } from '../operations/support/answers.ts'
import { sudoHeader } from '../support/authenticator.ts'
import { startTestGuildhall } from '../support/test-guildhall.ts'
import { openServer } from '../operations/support/scene.ts'

/** Tricks with the routes of recovery, verification and own sessions. */

const guildhall = await openServer()
const ada = await guildhall.register()

const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  guildhall.request('POST', `/v1/auth/${path}`, { body, headers, token: ada.token })
const malformed = field('body', 'INVALID_FORMAT')

describe.each(['forgot', 'verify', 'reset', 'email-revert', 'username-suggestions', 'sessions/logout'])(
  'invalid JSON, sent to %s',
  (path) => {
    it.each([
      ['nested without end', `{"token":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
      ['opened without end', '{"a":'.repeat(100_000)],
      ['a byte order mark', '\ufeff{}'],
      ['NaN', '{"token":NaN}'],
    ])('is refused: %s', async (_, body) => {
      expectFields(await post(path, body), malformed)
    })

    it('is answered in time if it has a million members, all unknown', async () => {
      const members = Array.from({ length: 100_000 }, (_none, index) => `"k${index}":0`)
      expectRefusal(await post(path, `{${members.join()}}`), 400, 'INVALID_FORM_BODY')
    })
  },
)

describe('text that cannot be stored', () => {
  it('is refused: half a character, or a NUL, for a token, an address, a password, a name or a hash', async () => {
    const token = `"token":"${'a'.repeat(63)}\\ud800"`
    expectFields(await post('verify', `{${token}}`), field('token', 'INVALID_FORMAT'))
    expectFields(
      await post('forgot', '{"email":"a\\u0000@example.com"}'),
      field('email', 'INVALID_EMAIL_LOCAL_PART'),
      field('email', 'INVALID_FORMAT'),
    )
    const passwords = await post('reset', `{"token":"${'a'.repeat(64)}","password":"12345678\\ud800"}`)
    expectFields(passwords, field('password', 'INVALID_FORMAT'))
    const hashes = await post('sessions/logout', `{"session_id_hashes":["\\udc00"],"password":"${ada.password}"}`)
    expectFields(hashes, field('session_id_hashes.0', 'INVALID_FORMAT'))
  })

  it('uses the last one of repeated members', async () => {
    const answer = await post('username-suggestions', '{"global_name":"Ada","global_name":"Grace"}')
    expect(bodyOf(answer)).toStrictEqual({ suggestions: ['Grace'] })
  })
})

describe('lookalike names', () => {
  const suggestion = async (global_name: string) => bodyOf(await post('username-suggestions', { global_name }))

  it('do not lead to a suggestion of a reserved name, however it is written', async () => {
    for (const name of [
      'guildhall',
      'ＧＵＩＬＤＨＡＬＬ',
      'guild\u200bhall',
      'g\u0301uildhall',
      'guildhall\u202e',
      '𝓰𝓾𝓲𝓵𝓭𝓱𝓪𝓵𝓵',
    ])
      expect(await suggestion(name)).toStrictEqual({ suggestions: [] })
    for (const name of ['ｈｅｒｅ', 'ＥＶＥＲＹＯＮＥ', 'here\u202e'])
      expectFields(
        await post('username-suggestions', { global_name: name }),
        field('global_name', 'GLOBAL_NAME_RESERVED_VALUE'),
      )
    expect(await suggestion('h\u0301ére')).toStrictEqual({ suggestions: [] })
  })

  it('are different addresses: lookalike letters are not valid in addresses', async () => {
    for (const local of ['ａda', 'аda', 'a\u200bda', 'a\u0301da', 'ıda'])
      expectFields(await post('forgot', { email: `${local}@example.com` }), field('email', 'INVALID_EMAIL_LOCAL_PART'))
  })
})

describe('a reason for the audit log', () => {
  it.each(['x'.repeat(7000), '%0d%0aX-Evil: 1', '<script>alert(1)</script>'])(
    'is not kept if nothing is recorded: %.20s',
    async (reason) => {
      const answer = await post('forgot', { email: 'nobody@example.com' }, { 'x-audit-log-reason': reason })
      expect(answer.status).toBe(204)
      expect(JSON.stringify([...answer.headers])).not.toContain(reason)
      expect(answer.headers.get('x-evil')).toBeNull()
    },
  )
})

describe('the header of a sudo proof', () => {
  it('is not sent back if it was not verified', async () => {
    const body = { session_id_hashes: [], password: ada.password }
    const junk = ['x', `eyJhbGciOiJub25lIn0.${'a'.repeat(100)}.`, ada.token, sessionTokenHash(ada.token)]
    for (const proof of junk) {
      const answer = await post('sessions/logout', body, { [sudoHeader]: proof })
      expect([answer.status, answer.headers.get(sudoHeader)]).toStrictEqual([204, null])
    }
  })
})

describe('limits that a client tries to avoid', () => {
  it('hold for a burst, with any claimed address, and however the path is written', async () => {
    const limited = await startTestGuildhall({ rateLimits: true })
    const forgot = (path: string, index: number) =>
      limited.request('POST', path, {
        body: { email: `a${index}@example.com` },
        headers: { 'x-forwarded-for': `198.51.100.${index}`, forwarded: `for=198.51.100.${index}` },
      })
    const answers = await Promise.all(Array.from({ length: 24 }, (_none, index) => forgot('/v1/auth/forgot', index)))
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(19)
    for (const path of ['/auth/forgot', '/v1/auth/forgot/', '/v1//auth/forgot', '/v1/AUTH/forgot', '/v1/auth/FORGOT'])
      expectRefusal(await forgot(path, 1), 404, 'NOT_FOUND')
    await limited.close()
  })

  it('are the same for HEAD as for GET', async () => {
    const limited = await startTestGuildhall({ rateLimits: true })
    const statuses = []
    for (let times = 0; times < 21; times += 1) {
      const method = times % 2 === 0 ? 'HEAD' : 'GET'
      statuses.push((await fetch(`${limited.url}/v1/auth/reset/${'a'.repeat(64)}`, { method })).status)
    }
    expect(statuses.slice(0, 20).every((status) => status === 200)).toBe(true)
    expect(statuses.at(-1)).toBe(429)
    await limited.close()
  })
})
