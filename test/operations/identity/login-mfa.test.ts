import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../domain/kernel/refusal.ts'
import { backupCode, protect, type ProtectedAccount } from '../../support/authenticator.ts'
import { bodyOf, expectFields, expectRefusal, found, invite, listOf } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'

/** Signing in with a second factor (rules/credentials#second-step). */

let ada: ProtectedAccount

const guildhall = await openServer()
beforeEach(async () => {
  ada = await protect(guildhall, await guildhall.register())
})

const login = ({ email, password }: Pick<ProtectedAccount, 'email' | 'password'>, more: object = {}) =>
  guildhall.request('POST', '/v1/auth/login', { body: { email, password, ...more } })
const complete = (ticket: string, code: string) =>
  guildhall.request('POST', '/v1/auth/login/mfa/totp', { body: { ticket, code } })
const ticketOf = async (account: ProtectedAccount) => String(bodyOf(await login(account))['ticket'])
const me = (token: string) => guildhall.request('GET', '/v1/users/@me', { token })
const invalidCode = field('code', 'INVALID_CODE')
const timeout = field('ticket', 'SESSION_TIMEOUT')

describe('Log in with a second factor', () => {
  it('answers with a challenge instead of a session', async () => {
    const body = bodyOf(await login(ada))
    expect(body).toStrictEqual({
      mfa: true,
      ticket: expect.stringMatching(/^[\w-]{43}$/),
      allowed_methods: ['totp'],
      totp: true,
      webauthn: false,
    })
    expectRefusal(await me(String(body['ticket'])), 401, 'UNAUTHORIZED')
  })

  it('answers to a wrong password as for every account', async () => {
    const both = ['email', 'password'].map((path) => field(path, 'INVALID_EMAIL_OR_PASSWORD'))
    expectFields(await login({ ...ada, password: 'another password' }), ...both)
  })

  it('accepts no invite that was sent along, neither then nor later', async () => {
    const brian = await guildhall.register()
    const home = await found(guildhall, brian)
    const code = await invite(guildhall, brian, home.channel)
    const { ticket } = bodyOf(await login(ada, { invite_code: code }))
    const { token } = bodyOf(await complete(String(ticket), ada.app.code()))
    expect(listOf(await guildhall.request('GET', '/v1/users/@me/guilds', { token: String(token) }))).toStrictEqual([])
  })
})

describe('Complete login with TOTP', () => {
  it('begins a session with a code of the authenticator, and uses up the ticket', async () => {
    const ticket = await ticketOf(ada)
    const body = bodyOf(await complete(ticket, ada.app.code()))
    expect(Object.keys(body).toSorted()).toStrictEqual(['token', 'user', 'user_id'])
    expect(body['user_id']).toBe(ada.id)
    expect(bodyOf(await me(String(body['token'])))['id']).toBe(ada.id)
    expectFields(await complete(ticket, backupCode(ada, 0)), timeout)
  })

  it('accepts a backup code', async () => {
    expect(bodyOf(await complete(await ticketOf(ada), backupCode(ada, 4)))).toHaveProperty('token')
    expectFields(await complete(await ticketOf(ada), backupCode(ada, 4)), invalidCode)
  })

  it('refuses a wrong code, and keeps the ticket', async () => {
    const ticket = await ticketOf(ada)
    for (const code of [ada.app.wrongCode(), 'abcd-1234', 'x'.repeat(33), '']) {
      expectFields(await complete(ticket, code), invalidCode)
    }
    expect((await complete(ticket, ada.app.code())).status).toBe(200)
  })

  it('refuses a ticket that is unknown, and one of another length on its own field', async () => {
    expectFields(await complete('x', ada.app.code()), timeout)
    for (const ticket of ['', 'x'.repeat(257)])
      expectFields(await complete(ticket, '123456'), field('ticket', 'STRING_LENGTH_INVALID'))
    const empty = await guildhall.request('POST', '/v1/auth/login/mfa/totp', { body: {} })
    expectFields(empty, field('code', 'INVALID_FORMAT'), field('ticket', 'INVALID_FORMAT'))
  })

  it('of ten uses of one code at the same moment exactly one begins a session', async () => {
    const tickets = await Promise.all(Array.from({ length: 10 }, () => ticketOf(ada)))
    const code = ada.app.code()
    const answers = await Promise.all(tickets.map((ticket) => complete(ticket, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers) if (answer.status !== 200) expectFields(answer, invalidCode)
  })

  it('of ten different codes for one ticket at the same moment exactly one begins a session', async () => {
    const ticket = await ticketOf(ada)
    const answers = await Promise.all(ada.backupCodes.map((code) => complete(ticket, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers) if (answer.status !== 200) expectFields(answer, timeout)
  })
})
