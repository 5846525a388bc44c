import { beforeEach, describe, expect, it } from 'vitest'
import { sessionTokenHash } from '../../../application/identity/tokens/session-token.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, listOf } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

let ada: TestAccount

const guildhall = await openServer()
beforeEach(async () => {
  ada = await guildhall.register()
})

const list = (token: string) => guildhall.request('GET', '/v1/auth/sessions', { token })
const me = (token: string) => guildhall.request('GET', '/v1/users/@me', { token })
const end = (body: unknown, token = ada.token) => guildhall.request('POST', '/v1/auth/sessions/logout', { token, body })

async function login({ email, password }: TestAccount, userAgent = phone): Promise<string> {
  const answer = await guildhall.request('POST', '/v1/auth/login', {
    body: { email, password },
    headers: { 'user-agent': userAgent },
  })
  return String(bodyOf(answer)['token'])
}

const idsOf = async (token: string) => listOf(await list(token)).map((session) => session['id_hash'])

describe('List own sessions', () => {
  it('shows for each its origin, its client, and its last use, and never which is the current one', async () => {
    const onPhone = await login(ada)
    const sessions = listOf(await list(onPhone))
    expect(sessions).toHaveLength(2)
    expect(sessions.find((session) => session['id_hash'] === sessionTokenHash(onPhone))).toStrictEqual({
      id_hash: sessionTokenHash(onPhone),
      client_info: { platform: 'iPhone', os: 'iOS', browser: 'Safari', device: 'mobile', location: null },
      masked_ip: '127.0.0.x',
      approx_last_used_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      current: false,
    })
  })

  it('begins with the most recently used one', async () => {
    const second = await login(ada)
    expect(await idsOf(ada.token)).toStrictEqual([ada.token, second].map(sessionTokenHash))
    const third = await login(ada)
    expect(await idsOf(second)).toStrictEqual([second, third, ada.token].map(sessionTokenHash))
  })

  it('shows only live sessions of the caller’s own account', async () => {
    const eve = await guildhall.register()
    const second = await login(ada)
    expect(await idsOf(eve.token)).toStrictEqual([sessionTokenHash(eve.token)])
    await guildhall.request('POST', '/v1/auth/logout', { token: second })
    expect(await idsOf(ada.token)).toStrictEqual([sessionTokenHash(ada.token)])
  })

  it('needs a session', async () => {
    expectRefusal(await guildhall.request('GET', '/v1/auth/sessions'), 401, 'UNAUTHORIZED')
  })
})

describe('End own sessions', () => {
  it('ends exactly the named ones', async () => {
    const [second, third] = [await login(ada), await login(ada)]
    const body = { session_id_hashes: [sessionTokenHash(second)], password: ada.password }
    expect(await end(body)).toMatchObject({ status: 204, body: undefined })
    expectRefusal(await me(second), 401, 'UNAUTHORIZED')
    expect((await me(third)).status).toBe(200)
    expect((await me(ada.token)).status).toBe(200)
  })

  it('can also end the caller’s', async () => {
    const body = { session_id_hashes: [sessionTokenHash(ada.token)], password: ada.password }
    expect((await end(body)).status).toBe(204)
    expectRefusal(await me(ada.token), 401, 'UNAUTHORIZED')
  })

  it('ignores unknown hashes and those of other accounts, and accepts an empty list', async () => {
    const eve = await guildhall.register()
    const hashes = ['unknown', '', sessionTokenHash(eve.token), ...Array<string>(97).fill('\u202e')]
    expect((await end({ session_id_hashes: hashes, password: ada.password })).status).toBe(204)
    expect((await end({ session_id_hashes: [], password: ada.password })).status).toBe(204)
    expect((await me(eve.token)).status).toBe(200)
    expect((await me(ada.token)).status).toBe(200)
  })

  it('needs sudo mode, and ends nothing without', async () => {
    const session_id_hashes = [sessionTokenHash(ada.token)]
    expectRefusal(await end({ session_id_hashes }), 403, 'SUDO_MODE_REQUIRED')
    const wrong = await end({ session_id_hashes, password: 'another password' })
    expectFields(wrong, field('password', 'INVALID_PASSWORD'))
    expect((await me(ada.token)).status).toBe(200)
  })

  it.each([
    [{}, field('session_id_hashes', 'INVALID_FORMAT')],
    [{ session_id_hashes: 'x' }, field('session_id_hashes', 'INVALID_FORMAT')],
    [{ session_id_hashes: [7] }, field('session_id_hashes.0', 'INVALID_FORMAT')],
    [{ session_id_hashes: ['\u0000'] }, field('session_id_hashes.0', 'INVALID_FORMAT')],
    [{ session_id_hashes: Array<string>(101).fill('x') }, field('session_id_hashes', 'INVALID_FORMAT')],
  ])('refuses %j', async (body, expected) => {
    expectFields(await end({ ...body, password: ada.password }), expected)
  })

  it('needs a session', async () => {
    const answer = await guildhall.request('POST', '/v1/auth/sessions/logout', { body: { session_id_hashes: [] } })
    expectRefusal(answer, 401, 'UNAUTHORIZED')
  })
})
