import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { administrator } from '../../../support/administrators.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { changeEmailAddress, tokenIn } from '../../support/recovery.ts'
import { openServer } from '../../support/scene.ts'
import { botWithAddress, bounce, correctionsOn, unknownUser } from './support.ts'

/** Resend verification email, Verify user email, Send password reset. */

const guildhall = await openServer('mailing')
const { root, ask, lastEntry, entryCount } = await correctionsOn(guildhall)
const byUsername = await openServer('usernames')
const limited = await openServer({ withMailServer: true, rateLimits: true })
const elsewhere = await correctionsOn(byUsername)
const { connect, end } = connections()
afterAll(end)

let ada: TestAccount
beforeEach(async () => {
  ada = await guildhall.register()
})

const post = (path: string, body: unknown) => guildhall.request('POST', `/v1/auth/${path}`, { body })
const me = async ({ token }: TestAccount) => bodyOf(await guildhall.request('GET', '/v1/users/@me', { token }))
const withoutAddress = async () => String(bodyOf(await post('register', {}))['user_id'])
const noAddress = field('email', 'USER_DOES_NOT_HAVE_AN_EMAIL_ADDRESS')
const resend = (id: string) => ask('POST', id, 'verification-email')
const verify = (id: string, token?: string) => ask('PUT', id, 'email-verification', undefined, token)
const reset = (id: string) => ask('POST', id, 'password-reset')

describe.each([
  ['Resend verification email', 'POST', 'verification-email'],
  ['Verify user email', 'PUT', 'email-verification'],
  ['Send password reset', 'POST', 'password-reset'],
])('%s', (_name, method, resource) => {
  it('refuses, in this order: a path without an id, an instance without addresses, an unknown account', async () => {
    const before = [await entryCount(), await elsewhere.entryCount()]
    expectFields(await ask(method, 'x', resource), field('user_id', 'INVALID_SNOWFLAKE_FORMAT'))
    expectFields(await elsewhere.ask(method, 'x', resource), field('user_id', 'INVALID_SNOWFLAKE_FORMAT'))
    expectRefusal(await elsewhere.ask(method, unknownUser, resource), 400, 'EMAIL_UNAVAILABLE_ON_INSTANCE')
    const bob = await byUsername.register()
    expectRefusal(await elsewhere.ask(method, bob.id, resource), 400, 'EMAIL_UNAVAILABLE_ON_INSTANCE')
    expectRefusal(await ask(method, unknownUser, resource), 404, 'UNKNOWN_USER')
    const lesser = await administrator(guildhall, 'admin:authenticate', 'user:view:email')
    expectRefusal(await ask(method, ada.id, resource, undefined, lesser.token), 403, 'MISSING_ACL')
    expect([await entryCount(), await elsewhere.entryCount()]).toStrictEqual(before)
  })
})

describe('Resend verification email', () => {
  it('mails another token, which verifies the address once', async () => {
    const first = tokenIn(await guildhall.mailTo(ada.email, 1))
    expect(await resend(ada.id)).toMatchObject({ status: 204, body: undefined })
    const second = tokenIn(await guildhall.mailTo(ada.email, 2))
    expect(second).not.toBe(first)
    expect((await post('verify', { token: second })).status).toBe(204)
    expect(await me(ada)).toMatchObject({ verified: true })
    expectFields(await post('verify', { token: second }), field('token', 'INVALID_OR_EXPIRED_VERIFICATION_TOKEN'))
    expect((await post('verify', { token: first })).status).toBe(204)
  })
  it('is recorded with the address, which is personal to the account', async () => {
    expect((await resend(ada.id)).status).toBe(204)
    expect(await lastEntry()).toMatchObject({
      action: 'resend_verification_email',
      adminId: root.id,
      targetType: 'user',
      targetId: ada.id,
      metadata: {},
      personalMetadata: { email: ada.email },
    })
  })
  it('mails a token that verifies no other address', async () => {
    expect((await resend(ada.id)).status).toBe(204)
    const token = tokenIn(await guildhall.mailTo(ada.email, 2))
    await changeEmailAddress(guildhall, ada, `moved.${ada.email}`)
    await bounce(guildhall, { ...ada, email: `moved.${ada.email}` })
    expectFields(await post('verify', { token }), field('token', 'INVALID_OR_EXPIRED_VERIFICATION_TOKEN'))
    expect(await me(ada)).toMatchObject({ email_bounced: true })
  })
  it('mails nothing to an address that is verified, and succeeds', async () => {
    expect((await verify(ada.id)).status).toBe(200)
    const before = await entryCount()
    expect((await resend(ada.id)).status).toBe(204)
    expect(await entryCount()).toBe(before + 1)
    // What was to be sent to that address has arrived once the next mail has.
    expect((await reset(ada.id)).status).toBe(204)
    expect((await guildhall.mailTo(ada.email, 2)).subject).toContain('password')
  })
  it('refuses a bot before an account without an address', async () => {
    const bot = await botWithAddress(guildhall, `bot.${ada.email}`)
    expectRefusal(await resend(bot), 403, 'BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED')
    expectFields(await resend(await withoutAddress()), noAddress)
  })
  it('is done three times in 15 minutes for an address, whoever asks', async () => {
    const on = await correctionsOn(limited)
    const [bob, eve] = [await limited.register(), await limited.register()]
    const resent = async (id: string) => (await on.ask('POST', id, 'verification-email')).status
    const own = await limited.request('POST', '/v1/auth/verify/resend', { token: bob.token })
    expect([own.status, await resent(bob.id), await resent(bob.id)]).toStrictEqual([204, 204, 204])
    const refused = await on.ask('POST', bob.id, 'verification-email')
    expectRefusal(refused, 429, 'RATE_LIMITED')
    expect(refused.body).toMatchObject({ global: false, retry_after: expect.any(Number) })
    expect(await on.entryCount()).toBe(2)
    expect(await resent(eve.id)).toBe(204)
  })
})

describe('Verify user email', () => {
  it('marks the address as verified and takes the bounce marker off, and tells the account', async () => {
    await bounce(guildhall, ada)
    const { client } = await connect(guildhall, ada)
    const { user } = bodyOf(await verify(ada.id))
    expect(user).toMatchObject({ id: ada.id, email: ada.email, email_verified: true, email_bounced: false })
    expect((await client.dispatch('USER_UPDATE')).d).toMatchObject({ verified: true })
    expect(await me(ada)).toMatchObject({ verified: true, email_bounced: false })
    expect(bodyOf(await verify(ada.id))['user']).toMatchObject({ email_verified: true })
  })
  it('is recorded with the address, which is personal to the account', async () => {
    expect((await verify(ada.id)).status).toBe(200)
    expect(await lastEntry()).toMatchObject({
      action: 'verify_email',
      targetType: 'user',
      targetId: ada.id,
      metadata: {},
      personalMetadata: { email: ada.email },
    })
  })
  it('accepts an account without an address, recorded as the text null', async () => {
    const nobody = await withoutAddress()
    expect(bodyOf(await verify(nobody))['user']).toMatchObject({ email: null, email_verified: true })
    expect(await lastEntry()).toMatchObject({ targetId: nobody, personalMetadata: { email: 'null' } })
  })
  it('shows no address to who may not view it', async () => {
    const lesser = await administrator(guildhall, 'admin:authenticate', 'user:update:email')
    const { user } = bodyOf(await verify(ada.id, lesser.token))
    expect(user).toMatchObject({ id: ada.id, email: null, email_verified: false, email_bounced: false })
    expect(await me(ada)).toMatchObject({ verified: true })
  })
})

describe('Send password reset', () => {
  it('mails a token that chooses a new password, as often as it is asked for', async () => {
    for (let times = 1; times <= 4; times += 1)
      expect(await reset(ada.id)).toMatchObject({ status: 204, body: undefined })
    const token = tokenIn(await guildhall.mailTo(ada.email, 5))
    expect(await me(ada)).toMatchObject({ id: ada.id })
    expect((await post('reset', { token, password: 'a new password' })).status).toBe(200)
    expect((await post('login', { email: ada.email, password: 'a new password' })).status).toBe(200)
  })
  it('is recorded with the address, which is personal to the account', async () => {
    expect((await reset(ada.id)).status).toBe(204)
    expect(await lastEntry()).toMatchObject({
      action: 'send_password_reset',
      targetType: 'user',
      targetId: ada.id,
      metadata: {},
      personalMetadata: { email: ada.email },
    })
  })
  it('refuses an account without an address', async () => {
    expectFields(await reset(await withoutAddress()), noAddress)
  })
  it('accepts a bot with an address, for which the token does nothing', async () => {
    const email = `reset.${ada.email}`
    expect((await reset(await botWithAddress(guildhall, email))).status).toBe(204)
    const token = tokenIn(await guildhall.mailTo(email, 1))
    const used = await post('reset', { token, password: 'a new password' })
    expectRefusal(used, 403, 'BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED')
  })
})
