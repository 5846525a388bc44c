import { beforeEach, describe, expect, it } from 'vitest'
import { handoffTicket } from '../../../application/identity/handoff/handoff.ts'
import { startTestGuildhall, type TestAccount } from '../../support/test-guildhall.ts'
import { bodyOf, expectRefusal, listOf } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'

const shownCode = /^[A-HJKMNP-Z2-9]{6}-[A-HJKMNP-Z2-9]{6}$/
const firefoxOnLinux = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let ada: TestAccount

const guildhall = await openServer({})
beforeEach(async () => {
  ada = await guildhall.register()
})

interface Waiting {
  readonly code: string
  readonly secret: string
}

/** A desktop that waits to be signed in. */
async function initiate(on = guildhall): Promise<Waiting> {
  const headers = { 'user-agent': firefoxOnLinux }
  const body = bodyOf(await on.request('POST', '/v1/auth/handoff/initiate', { headers }))
  return { code: String(body['code']), secret: String(body['poll_secret']) }
}
const info = (code: string, on = guildhall) => on.request('GET', `/v1/auth/handoff/${code}/info`)
const status = (code: string) => guildhall.request('GET', `/v1/auth/handoff/${code}/status`)
const poll = ({ code, secret }: Waiting) =>
  guildhall.request('POST', `/v1/auth/handoff/${code}/status`, { body: { poll_secret: secret } })
const cancel = (code: string) => guildhall.request('DELETE', `/v1/auth/handoff/${code}`)
const complete = (code: string, account = ada, on = guildhall) =>
  on.request('POST', '/v1/auth/handoff/complete', { token: account.token, body: { code, user_id: account.id } })
const me = (token: unknown) => guildhall.request('GET', '/v1/users/@me', { token: String(token) })
const pending = { status: 'pending' }
const expired = { status: 'expired', client_info: null }

describe('Start handoff', () => {
  it('returns a code for five minutes, in two groups of six, and a secret to poll with', async () => {
    const body = bodyOf(await guildhall.request('POST', '/v1/auth/handoff/initiate'))
    expect(body).toStrictEqual({
      code: expect.stringMatching(shownCode),
      expires_at: expect.any(String),
      poll_secret: expect.stringMatching(/^[\w-]{43}$/),
    })
    const left_ms = Date.parse(String(body['expires_at'])) - Date.now()
    expect(left_ms).toBeGreaterThan(290_000)
    expect(left_ms).toBeLessThanOrEqual(300_000)
  })
})

describe('Get handoff info', () => {
  it('describes the waiting device, at most three times', async () => {
    const { code } = await initiate()
    const client_info = { platform: 'Linux PC', os: 'Linux', browser: 'Firefox', device: 'desktop', location: null }
    for (let lookups = 0; lookups < 3; lookups += 1)
      expect(bodyOf(await info(code))).toStrictEqual({ status: 'pending', client_info })
    expect(bodyOf(await info(code))).toStrictEqual(expired)
    // It was looked up.
    expect((await complete(code)).status).toBe(204)
  })
  it('accepts a code in any case, with or without hyphens and spaces', async () => {
    const { code } = await initiate()
    const spaced = encodeURIComponent(` ${code.toLowerCase().replace('-', ' - ')} `)
    expect(bodyOf(await info(spaced))).toMatchObject(pending)
  })
  it('returns expired for an unknown code', async () => {
    expect(bodyOf(await info('ABCDEF-GHJKMN'))).toStrictEqual(expired)
  })
  it.each(['ABCDEF-GHJKM', 'ABCDEF-GHJKMNP', 'ABCDEF-GHJKM0', 'x'])(
    'refuses %s, which is not a code, as every other operation does',
    async (code) => {
      for (const answer of [await info(code), await status(code), await cancel(code), await complete(code)])
        expectRefusal(answer, 400, 'INVALID_HANDOFF_CODE')
      expectRefusal(await poll({ code, secret: 'x' }), 400, 'INVALID_HANDOFF_CODE')
    },
  )
})

describe('Complete handoff', () => {
  it('creates a session for the waiting device, with that device’s address', async () => {
    const waiting = await initiate()
    await info(waiting.code)
    expect(bodyOf(await poll(waiting))).toStrictEqual(pending)
    expect((await complete(waiting.code)).status).toBe(204)
    const done = bodyOf(await poll(waiting))
    expect(done).toMatchObject({ status: 'completed', user_id: ada.id, user: { id: ada.id } })
    expect(done['token']).not.toBe(ada.token)
    expect(bodyOf(await me(done['token']))['id']).toBe(ada.id)
    const sessions = listOf(await guildhall.request('GET', '/v1/auth/sessions', { token: ada.token }))
    expect(sessions.map(({ client_info: client }) => client)).toContainEqual(
      expect.objectContaining({ browser: 'Firefox', os: 'Linux' }),
    )
    expect((await me(ada.token)).status).toBe(200)
  })
  it('prefers the token in its body to that of the header', async () => {
    const grace = await guildhall.register()
    const { code } = await initiate()
    await info(code)
    const body = { code, token: grace.token, user_id: grace.id }
    const answer = await guildhall.request('POST', '/v1/auth/handoff/complete', { token: ada.token, body })
    expect(answer.status).toBe(204)
  })
  it('refuses no token, an ended session, and another account’s token, in this order, and leaves the code usable', async () => {
    const { code } = await initiate()
    await info(code)
    const send = (body: object, token?: string) =>
      guildhall.request('POST', '/v1/auth/handoff/complete', { ...(token === undefined ? {} : { token }), body })
    const dead = `gld_${'x'.repeat(36)}`
    expectRefusal(await send({ code, user_id: ada.id }), 401, 'UNAUTHORIZED')
    expectRefusal(await send({ code, user_id: ada.id }, dead), 401, 'INVALID_TOKEN')
    expectRefusal(await send({ code, user_id: ada.id, token: dead }, ada.token), 401, 'INVALID_TOKEN')
    const grace = await guildhall.register()
    expectRefusal(await send({ code, user_id: grace.id }, ada.token), 400, 'SESSION_TOKEN_MISMATCH')
    expect((await complete(code)).status).toBe(204)
  })
  it('refuses a code that nobody has looked up, an unknown one, and one that is done', async () => {
    const waiting = await initiate()
    expectRefusal(await complete(waiting.code), 400, 'INVALID_HANDOFF_CODE')
    expectRefusal(await complete('ABCDEF-GHJKMN'), 400, 'INVALID_HANDOFF_CODE')
    await info(waiting.code)
    expect((await complete(waiting.code)).status).toBe(204)
    expectRefusal(await complete(waiting.code), 400, 'INVALID_HANDOFF_CODE')
    expect(bodyOf(await info(waiting.code))).toStrictEqual(expired)
  })
  it('succeeds for one of several at the same moment: one session begins', async () => {
    const waiting = await initiate()
    await info(waiting.code)
    const answers = await Promise.all(Array.from({ length: 6 }, () => complete(waiting.code)))
    expect(answers.filter((answer) => answer.status === 204)).toHaveLength(1)
    for (const answer of answers.filter(({ status: each }) => each !== 204))
      expectRefusal(answer, 400, 'INVALID_HANDOFF_CODE')
    const sessions = listOf(await guildhall.request('GET', '/v1/auth/sessions', { token: ada.token }))
    expect(sessions).toHaveLength(2)
  })
  it('lets a device go on waiting if its session could not begin', async () => {
    const waiting = await initiate()
    await info(waiting.code)
    const { aggregates } = guildhall.ports
    const { execute } = aggregates.account
    // As if the event store did not answer.
    Object.assign(aggregates.account, { execute: () => Promise.reject(new Error('broken')) })
    expect((await complete(waiting.code)).status).toBe(500)
    Object.assign(aggregates.account, { execute })
    expect((await complete(waiting.code)).status).toBe(204)
  })
})

describe('Fetch handoff', () => {
  it('returns the token once, to one of several at the same moment', async () => {
    const waiting = await initiate()
    await info(waiting.code)
    await complete(waiting.code)
    const answers = await Promise.all(Array.from({ length: 6 }, () => poll(waiting)))
    const bodies = answers.map(bodyOf)
    expect(bodies.filter(({ token }) => token !== undefined)).toHaveLength(1)
    expect(bodyOf(await poll(waiting))).toStrictEqual({ status: 'expired' })
    expect(bodyOf(await status(waiting.code))).toStrictEqual({ status: 'expired' })
  })
  it('returns it neither without the secret, nor with the status', async () => {
    const waiting = await initiate()
    await info(waiting.code)
    await complete(waiting.code)
    expect(bodyOf(await poll({ ...waiting, secret: 'x' }))).toStrictEqual(pending)
    expect(bodyOf(await status(waiting.code))).toStrictEqual(pending)
    expect(bodyOf(await poll(waiting))).toMatchObject({ status: 'completed' })
  })
  it('stores neither the secret nor the token in readable form', async () => {
    const waiting = await initiate()
    await info(waiting.code)
    await complete(waiting.code)
    const typed = waiting.code.replace('-', '')
    const kept = await guildhall.ports.tickets.look(handoffTicket, typed)
    const token = kept?.state.is === 'completed' ? kept.state.token : ''
    const { rows } = await guildhall.store.database.pool.query('select * from tickets.tickets')
    const bytes = rows
      .flatMap((row: object) => Object.values(row))
      .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
    expect(token).toMatch(/^gld_/)
    for (const secret of [token, waiting.secret, typed, ada.id]) expect(bytes.join('\n')).not.toContain(secret)
  })
})

describe('Cancel handoff', () => {
  it('discards everything, however often it is repeated', async () => {
    const waiting = await initiate()
    await info(waiting.code)
    for (let times = 0; times < 2; times += 1) expect((await cancel(waiting.code)).status).toBe(204)
    expect(bodyOf(await poll(waiting))).toStrictEqual({ status: 'expired' })
    expectRefusal(await complete(waiting.code), 400, 'INVALID_HANDOFF_CODE')
  })
  it('discards a token that was not fetched yet', async () => {
    const waiting = await initiate()
    await info(waiting.code)
    await complete(waiting.code)
    await cancel(waiting.code)
    expect(bodyOf(await poll(waiting))).toStrictEqual({ status: 'expired' })
  })
})

describe('a client that guesses codes', () => {
  it('is blocked after five invalid ones, for a right one too, at both operations', async () => {
    const limited = await startTestGuildhall({ rateLimits: true })
    const account = await limited.register()
    const { code } = await initiate(limited)
    const missed = 'ABCDEF-GHJKMN'
    expect(bodyOf(await info(code, limited))).toMatchObject(pending)
    for (let failures = 0; failures < 3; failures += 1)
      expect(bodyOf(await info(missed, limited))).toStrictEqual(expired)
    expectRefusal(await complete(missed, account, limited), 400, 'INVALID_HANDOFF_CODE')
    expect(bodyOf(await info(code, limited))).toMatchObject(pending)
    expect(bodyOf(await info(missed, limited))).toStrictEqual(expired)
    expectRefusal(await info(code, limited), 400, 'INVALID_HANDOFF_CODE')
    expectRefusal(await complete(code, account, limited), 400, 'INVALID_HANDOFF_CODE')
    // The polling of a waiting device does not count as a try.
    const waits = await limited.request('GET', `/v1/auth/handoff/${code}/status`)
    expect(bodyOf(waits)).toStrictEqual(pending)
    await limited.close()
  })
})
