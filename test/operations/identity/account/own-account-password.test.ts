import { beforeEach, describe, expect, it } from 'vitest'
import { sessionTokenHash } from '../../../../application/identity/tokens/session-token.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { protect } from '../../../support/authenticator.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { codeIn, wrongCode } from '../../support/emailed-codes.ts'
import { openServer } from '../../support/scene.ts'

const newPassword = 'another password'

let ada: TestAccount

const guildhall = await openServer()
beforeEach(async () => {
  ada = await guildhall.register()
})

const ascending = (one: number, other: number): number => one - other
const step = ({ token }: Pick<TestAccount, 'token'>, path: string, body?: object) =>
  guildhall.request('POST', `/v1/users/@me/password-change/${path}`, { token, ...(body ? { body } : {}) })
const me = (token: string) => guildhall.request('GET', '/v1/users/@me', { token })
const login = (account: TestAccount, password: string) =>
  guildhall.request('POST', '/v1/auth/login', { body: { email: account.email, password } })

async function started(account: TestAccount = ada): Promise<{ readonly ticket: string; readonly code: string }> {
  const { ticket } = bodyOf(await step(account, 'start'))
  return { ticket: String(ticket), code: codeIn(await guildhall.mailTo(account.email)) }
}

/** Goes as far as the proof. */
async function verified(account: TestAccount = ada) {
  const given = await started(account)
  const { verification_proof } = bodyOf(await step(account, 'verify', given))
  return { ticket: given.ticket, verification_proof, new_password: newPassword }
}

describe('a password change by mail', () => {
  it('ends every session and begins one, without sudo mode', async () => {
    const other = String(bodyOf(await login(ada, ada.password))['token'])
    const answer = bodyOf(await step(ada, 'complete', await verified()))
    const token = String(answer['token'])
    expect(answer).toStrictEqual({ token, auth_session_id_hash: sessionTokenHash(token) })
    for (const old of [ada.token, other]) expectRefusal(await me(old), 401, 'UNAUTHORIZED')
    expect(bodyOf(await me(token))).toMatchObject({ id: ada.id, password_last_changed_at: expect.any(String) })
    expect((await login(ada, ada.password)).status).toBe(400)
    expect((await login(ada, newPassword)).status).toBe(200)
  })

  it('is possible for an account with second factors too, which stay', async () => {
    const grace = await protect(guildhall, await guildhall.register())
    const { token } = bodyOf(await step(grace, 'complete', await verified(grace)))
    expect(bodyOf(await me(String(token)))).toMatchObject({ mfa_enabled: true })
  })

  it('says when the code ends and when another can be had', async () => {
    expect(bodyOf(await step(ada, 'start'))).toStrictEqual({
      ticket: expect.any(String),
      code_expires_at: expect.any(String),
      resend_available_at: expect.any(String),
    })
  })

  it('needs an address', async () => {
    const body = { password: 'a password' }
    const { token } = bodyOf(await guildhall.request('POST', '/v1/auth/register', { body }))
    const refused = await step({ token: String(token) }, 'start')
    expectFields(refused, field('email', 'USER_DOES_NOT_HAVE_AN_EMAIL_ADDRESS'))
  })

  it('accepts a code once, and only the right one', async () => {
    const { ticket, code } = await started()
    const wrong = field('code', 'INVALID_VERIFICATION_CODE')
    expectFields(await step(ada, 'verify', { ticket, code: wrongCode }), wrong)
    const tries = await Promise.all(Array.from({ length: 4 }, () => step(ada, 'verify', { ticket, code })))
    expect(tries.map(({ status }) => status).toSorted(ascending)).toStrictEqual([200, 400, 400, 400])
    expectFields(await step(ada, 'verify', { ticket, code }), field('code', 'VERIFICATION_CODE_NOT_ISSUED'))
  })

  it('refuses a ticket of another account, and an invalid proof', async () => {
    const grace = await guildhall.register()
    const given = await started()
    const foreign = field('ticket', 'INVALID_OR_EXPIRED_TICKET')
    expectFields(await step(grace, 'verify', given), foreign)
    expectFields(await step(grace, 'resend', given), foreign)
    const body = { ticket: given.ticket, verification_proof: 'x', new_password: newPassword }
    expectFields(await step(grace, 'complete', body), foreign)
    expectFields(await step(ada, 'complete', body), field('verification_proof', 'INVALID_PROOF_TOKEN'))
  })

  it('refuses a password that is too common, and accepts the proof afterwards', async () => {
    const wish = await verified()
    const common = await step(ada, 'complete', { ...wish, new_password: 'password123' })
    expectFields(common, field('new_password', 'PASSWORD_IS_TOO_COMMON'))
    expect((await step(ada, 'complete', wish)).status).toBe(200)
  })

  it('succeeds once', async () => {
    const wish = await verified()
    const tries = await Promise.all(Array.from({ length: 4 }, () => step(ada, 'complete', wish)))
    const [done, ...others] = tries.toSorted((one, other) => one.status - other.status)
    expect(others.every(({ status }) => status === 400 || status === 401)).toBe(true)
    const token = String(done && bodyOf(done)['token'])
    expectFields(await step({ token }, 'complete', wish), field('ticket', 'TICKET_ALREADY_COMPLETED'))
  })

  it('ends if the password was changed in another way meanwhile', async () => {
    const wish = await verified()
    const body = { new_password: 'yet another one', password: ada.password }
    await guildhall.request('PATCH', '/v1/users/@me', { token: ada.token, body })
    const { token } = bodyOf(await login(ada, 'yet another one'))
    const late = await step({ token: String(token) }, 'complete', wish)
    expectFields(late, field('ticket', 'INVALID_OR_EXPIRED_TICKET'))
  })

  it('waits 30 seconds between two mails', async () => {
    const { ticket } = await started()
    expectRefusal(await step(ada, 'resend', { ticket }), 429, 'RATE_LIMITED')
  })

  it('can be started 3 times in 15 minutes', async () => {
    const limited = await openServer('limited')
    const { token } = await limited.register()
    const answers = []
    for (let count = 0; count < 4; count += 1)
      answers.push(await limited.request('POST', '/v1/users/@me/password-change/start', { token }))
    expect(answers.map(({ status }) => status)).toStrictEqual([200, 200, 200, 429])
  })
})
