import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { accountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { protect } from '../../support/authenticator.ts'
import type { TestAccount, TestAnswer } from '../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, listOf } from '../support/answers.ts'
import { changeEmailAddress, tokenIn } from '../support/recovery.ts'
import { openServer } from '../support/scene.ts'

/** Cooldowns and lifetimes are tested in test/application/identity/ip-authorization. */

const home = '203.0.113.7'
const away = '198.51.100.20'

const guildhall = await openServer({
  policy: { ipAuthorization: true },
  withMailServer: true,
  trustedProxies: ['127.0.0.1'],
})

const from = (address: string, userAgent = 'test') => ({ 'x-forwarded-for': address, 'user-agent': userAgent })

const send = (path: string, body: unknown, address = home, userAgent?: string): Promise<TestAnswer> =>
  guildhall.request('POST', `/v1/auth/${path}`, { body, headers: from(address, userAgent) })

const poll = (ticket: unknown): Promise<TestAnswer> =>
  guildhall.request('GET', `/v1/auth/ip-authorization/poll?ticket=${String(ticket)}`)

async function registered(address = home): Promise<TestAccount> {
  const unique = randomBytes(6).toString('hex')
  const email = `${unique}@example.com`
  const password = `pass ${unique}`
  const body = { email, password, username: `user_${unique}`, date_of_birth: '1990-12-10', consent: true }
  const { token, user_id: id } = bodyOf(await send('register', body, address))
  await guildhall.mailTo(email, 1)
  return { token: String(token), id: String(id), email, password }
}

/** An account with a verified address, which a second factor needs. */
async function verified(): Promise<TestAccount> {
  const account = await registered()
  bodyOf(await send('verify', { token: tokenIn(await guildhall.mailTo(account.email, 1)) }))
  return account
}

const logIn = ({ email, password }: TestAccount, address: string, userAgent?: string): Promise<TestAnswer> =>
  send('login', { email, password }, address, userAgent)

/** Logs in from a new network; returns the ticket, and the mailed token. */
async function waiting(account: TestAccount, address = away): Promise<{ ticket: string; token: string }> {
  const answer = await logIn(account, address)
  expectRefusal(answer, 403, 'IP_AUTHORIZATION_REQUIRED')
  const { ticket } = answer.body as { readonly ticket: string }
  return { ticket, token: tokenIn(await guildhall.mailTo(account.email, 2)) }
}

const unknownTicket = field('ticket', 'INVALID_OR_EXPIRED_AUTHORIZATION_TICKET')
const unknownToken = field('token', 'INVALID_OR_EXPIRED_AUTHORIZATION_TOKEN')

describe('signing in without a second factor', () => {
  it('needs no mail from where the account was registered', async () => {
    expect(await logIn(await registered(), home)).toMatchObject({ status: 200, body: { token: expect.any(String) } })
  })

  it('needs a mail from an unknown address: 403 IP_AUTHORIZATION_REQUIRED with a ticket', async () => {
    const ada = await registered()
    const answer = await logIn(ada, away, 'Difference Engine')
    expect(answer.body).toStrictEqual({
      code: 'IP_AUTHORIZATION_REQUIRED',
      message: expect.any(String),
      ip_authorization_required: true,
      ticket: expect.stringMatching(/^[A-Za-z0-9]{64}$/),
      email: ada.email,
      resend_available_in: 30,
    })
    const { text } = await guildhall.mailTo(ada.email, 2)
    expect(text).toContain(away)
    expect(text).toContain('Difference Engine')
    expect(listOf(await guildhall.request('GET', '/v1/auth/sessions', { token: ada.token }))).toHaveLength(1)
  })

  it('sends no mail if the password is wrong', async () => {
    const ada = await registered()
    const wrong = await logIn({ ...ada, password: 'not this one' }, away)
    const code = 'INVALID_EMAIL_OR_PASSWORD'
    expectFields(wrong, field('email', code), field('password', code))
  })

  it('identifies an IPv6 client by its /64', async () => {
    const ada = await registered('2001:db8:1:2::a')
    expect((await logIn(ada, '2001:db8:1:2:ffff::b')).status).toBe(200)
    expectRefusal(await logIn(ada, '2001:db8:1:3::a'), 403, 'IP_AUTHORIZATION_REQUIRED')
  })

  it('asks for the second factor if there is one, and sends no mail', async () => {
    const ada = await protect(guildhall, await verified())
    expect(await logIn(ada, away)).toMatchObject({ status: 200, body: { mfa: true } })
  })
})

describe('the token of the mail', () => {
  it('begins one session, for the waiting device, which fetches it by its ticket', async () => {
    const ada = await registered()
    const answer = await logIn(ada, away, 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')
    const { ticket } = answer.body as { readonly ticket: string }
    expect((await poll(ticket)).body).toStrictEqual({ completed: false })
    const token = tokenIn(await guildhall.mailTo(ada.email, 2))
    const authorized = await send('authorize-ip', { token }, home, 'a telephone')
    expect([authorized.status, authorized.body]).toStrictEqual([204, undefined])
    const first = await poll(ticket)
    expect(first.body).toStrictEqual({
      completed: true,
      token: expect.stringMatching(/^gld_/),
      user_id: ada.id,
      user: expect.objectContaining({ id: ada.id }),
    })
    expect((await poll(ticket)).body).toStrictEqual(first.body)
    const session = String(bodyOf(first)['token'])
    const sessions = listOf(await guildhall.request('GET', '/v1/auth/sessions', { token: session }))
    expect(sessions).toHaveLength(2)
    expect(sessions.map(({ masked_ip: ip }) => ip)).toContainEqual(expect.stringContaining('198.51'))
    expect(JSON.stringify(sessions)).toContain('Firefox')
    expect(JSON.stringify(sessions)).not.toContain('telephone')
    expect((await logIn(ada, away)).status).toBe(200)
  })

  it('begins one session even if it is used many times at once, and none afterwards', async () => {
    const ada = await registered()
    const { ticket, token } = await waiting(ada)
    const answers = await Promise.all(Array.from({ length: 8 }, () => send('authorize-ip', { token })))
    expect(answers.map(({ status }) => status)).toContain(204)
    for (const answer of answers) if (answer.status !== 204) expectFields(answer, unknownToken)
    const session = String(bodyOf(await poll(ticket))['token'])
    expect(listOf(await guildhall.request('GET', '/v1/auth/sessions', { token: session }))).toHaveLength(2)
    expectFields(await send('authorize-ip', { token }), unknownToken)
  })

  it('is invalid once the account has another password', async () => {
    const ada = await registered()
    const { ticket, token } = await waiting(ada)
    await send('forgot', { email: ada.email })
    const resetting = tokenIn(await guildhall.mailTo(ada.email, 3))
    bodyOf(await send('reset', { token: resetting, password: 'another password' }))
    expectFields(await send('authorize-ip', { token }), unknownToken)
    expect((await poll(ticket)).body).toStrictEqual({ completed: false })
  })

  it('is invalid once the account has another address, or a second factor', async () => {
    const [ada, grace] = [await registered(), await verified()]
    const [adas, graces] = [await waiting(ada), await waiting(grace)]
    await changeEmailAddress(guildhall, ada, `countess-${ada.email}`)
    await protect(guildhall, grace)
    expectFields(await send('authorize-ip', { token: adas.token }), unknownToken)
    expectFields(await send('authorize-ip', { token: graces.token }), unknownToken)
  })

  it('does not serve as the ticket, or the other way round', async () => {
    const { ticket, token } = await waiting(await registered())
    expectFields(await send('authorize-ip', { token: ticket }), unknownToken)
    expectFields(await poll(token), unknownTicket)
    expectFields(await send('ip-authorization/resend', { ticket: token }), unknownTicket)
  })
})

describe('a ticket', () => {
  it('is refused a resend at once: 429 IP_AUTHORIZATION_RESEND_COOLDOWN', async () => {
    const { ticket } = await waiting(await registered())
    const answer = await send('ip-authorization/resend', { ticket })
    expectRefusal(answer, 429, 'IP_AUTHORIZATION_RESEND_COOLDOWN')
    const { resend_available_in: wait_s, retry_after: retryAfter } = answer.body as Readonly<Record<string, number>>
    expect(wait_s).toBeGreaterThan(0)
    expect(wait_s).toBeLessThanOrEqual(30)
    expect(retryAfter).toBe(wait_s)
    expect(answer.headers.get('retry-after')).toBe(String(wait_s))
    expect([...answer.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toStrictEqual([])
  })

  it('that was never issued is refused, whatever it looks like', async () => {
    for (const ticket of ['x', 'A'.repeat(64)]) {
      expectFields(await poll(ticket), unknownTicket)
      expectFields(await send('ip-authorization/resend', { ticket }), unknownTicket)
      expectFields(await send('authorize-ip', { token: ticket }), unknownToken)
    }
    const tooLong = 'A'.repeat(257)
    expectFields(await poll(tooLong), field('ticket', 'STRING_LENGTH_INVALID'))
    expectFields(await send('authorize-ip', { token: tooLong }), field('token', 'STRING_LENGTH_INVALID'))
    expectRefusal(await guildhall.request('GET', '/v1/auth/ip-authorization/poll'), 400, 'INVALID_FORM_BODY')
  })
})

describe('authorised addresses', () => {
  const forget = ({ token }: TestAccount, body?: object): Promise<TestAnswer> =>
    guildhall.request('DELETE', '/v1/users/@me/authorized-ips', { token, body, headers: from(home) })

  it('are forgotten only in sudo mode', async () => {
    const ada = await registered()
    expectRefusal(await forget(ada), 403, 'SUDO_MODE_REQUIRED')
    expect((await logIn(ada, home)).status).toBe(200)
    const answer = await forget(ada, { password: ada.password })
    expect(answer.status).toBe(204)
    expect((await forget(ada, { password: ada.password })).status).toBe(204)
    expectRefusal(await logIn(ada, home), 403, 'IP_AUTHORIZATION_REQUIRED')
    expectRefusal(await guildhall.request('DELETE', '/v1/users/@me/authorized-ips'), 401, 'UNAUTHORIZED')
  })

  it('include those from where a mailed token has reset the password', async () => {
    const ada = await registered()
    await send('forgot', { email: ada.email }, away)
    const token = tokenIn(await guildhall.mailTo(ada.email, 2))
    bodyOf(await send('reset', { token, password: 'another password' }, away))
    expect((await logIn({ ...ada, password: 'another password' }, away)).status).toBe(200)
  })

  it('are reduced, by a revert of the address, to the one that reverted it', async () => {
    const ada = await registered()
    const token = await changeEmailAddress(guildhall, ada, `thief-${ada.email}`)
    bodyOf(await send('email-revert', { token, password: 'another password' }, away))
    const back = { ...ada, password: 'another password' }
    expect((await logIn(back, away)).status).toBe(200)
    expectRefusal(await logIn(back, home), 403, 'IP_AUTHORIZATION_REQUIRED')
  })
})

describe.each([
  ['that does not want it', { policy: { ipAuthorization: false }, withMailServer: true }],
  ['without a mail server', { policy: { ipAuthorization: true } }],
])('an instance %s', async (_, options) => {
  const open = await openServer({ ...options, trustedProxies: ['127.0.0.1'] })

  it('sends no mail, and remembers the addresses silently', async () => {
    const { email, password, id } = await open.register()
    const answer = await open.request('POST', '/v1/auth/login', { body: { email, password }, headers: from(away) })
    expect(answer.status).toBe(200)
    const { state } = await open.ports.aggregates.account.load(accountId(snowflake(id)))
    expect(state).toMatchObject({ authorizedNetworks: ['127.0.0.1/32', '198.51.100.20/32'] })
  })
})
