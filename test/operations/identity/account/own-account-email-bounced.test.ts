import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { verifyEmailTicket } from '../../../../application/identity/recovery/mailed-tokens.ts'
import { accountId as accountIdOf } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { Client } from '../../../gateway/support/client.ts'
import { administrator } from '../../../support/administrators.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { codeIn, wrongCode } from '../../support/emailed-codes.ts'
import { tokenIn } from '../../support/recovery.ts'
import { openServer } from '../../support/scene.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let ada: TestAccount
let newEmail: string

const guildhall = await openServer({ withMailServer: true })
beforeEach(async () => {
  ada = await guildhall.register()
  await guildhall.mailTo(ada.email, 1)
  newEmail = `${randomBytes(6).toString('hex')}@example.org`
})

const me = ({ token }: TestAccount = ada) => guildhall.request('GET', '/v1/users/@me', { token })
const step = (path: string, body: object, { token }: TestAccount = ada) =>
  guildhall.request('POST', `/v1/users/@me/email-change/bounced/${path}`, { token, body })
const resend = ({ token }: TestAccount = ada) => guildhall.request('POST', '/v1/auth/verify/resend', { token })
const isBounced = async (account: TestAccount = ada) => bodyOf(await me(account))['email_bounced']

/** The mail server refuses the address of an account. */
async function bounce(account: TestAccount = ada): Promise<void> {
  guildhall.mailServer?.refuseTo(account.email, 550)
  expect((await resend(account)).status).toBe(204)
  await expect.poll(() => isBounced(account)).toBe(true)
}

async function requested(): Promise<{ readonly ticket: string; readonly code: string }> {
  const { ticket } = bodyOf(await step('request-new', { new_email: newEmail }))
  return { ticket: String(ticket), code: codeIn(await guildhall.mailTo(newEmail)) }
}

describe('an address that the mail server refuses for good', () => {
  it('is marked, which its account hears', async () => {
    const client = new Client(`${guildhall.url.replace('http', 'ws')}/gateway?v=1`)
    await client.op(10)
    client.send(2, { token: ada.token, properties: { os: 'linux', browser: 'test', device: 'test' } })
    await client.dispatch('READY')
    await bounce()
    expect((await client.dispatch('USER_UPDATE')).d).toMatchObject({ email: ada.email, email_bounced: true })
    client.socket.terminate()
  })
  it('is no longer marked once it is verified', async () => {
    await bounce()
    expect((await resend()).status).toBe(204)
    const token = tokenIn(await guildhall.mailTo(ada.email, 2))
    expect((await guildhall.request('POST', '/v1/auth/verify', { body: { token } })).status).toBe(204)
    expect(bodyOf(await me())).toMatchObject({ verified: true, email_bounced: false })
    // A verified address needs no mail until it bounces again.
    expect((await resend()).status).toBe(204)
    await guildhall.request('POST', '/v1/auth/forgot', { body: { email: ada.email } })
    expect((await guildhall.mailTo(ada.email, 3)).subject).toMatch(/password/i)
  })
  it('is not marked if the mail server only refuses this mail, or only for now', async () => {
    for (const [stage, code] of [
      ['message', 550],
      ['recipient', 450],
    ] as const) {
      const { attempts } = guildhall.mailServer ?? { attempts: 0 }
      guildhall.mailServer?.refuse(stage, code)
      await resend()
      await expect.poll(() => guildhall.mailServer?.attempts).toBe(attempts + 1)
    }
    const grace = await guildhall.register()
    await bounce(grace)
    expect(await isBounced()).toBe(false)
  })
})

describe('changing an address that bounces', () => {
  it('requires one code, to the new address, and no sudo mode; sessions survive', async () => {
    await bounce()
    const answer = await step('request-new', { new_email: newEmail.toUpperCase() })
    expect(bodyOf(answer)).toStrictEqual({
      ticket: expect.stringMatching(uuid),
      new_email: newEmail,
      new_code_expires_at: expect.any(String),
      resend_available_at: expect.any(String),
    })
    const { ticket } = bodyOf(answer)
    const code = codeIn(await guildhall.mailTo(newEmail))
    const changed = bodyOf(await step('verify-new', { ticket, code: code.toLowerCase() }))
    expect(changed).toMatchObject({ id: ada.id, email: newEmail, verified: true, email_bounced: false })
    expect(bodyOf(await me())).toStrictEqual(changed)
    const login = { email: newEmail, password: ada.password }
    const again = { email: ada.email, password: 'a password' }
    expect((await guildhall.request('POST', '/v1/auth/login', { body: login })).status).toBe(200)
    expect((await guildhall.request('POST', '/v1/auth/register', { body: again })).status).toBe(200)
  })
  it('is refused at every step if the address is not marked', async () => {
    for (const [path, body] of [
      ['request-new', { new_email: newEmail }],
      ['resend-new', { ticket: 'x' }],
      ['verify-new', { ticket: 'x', code: wrongCode }],
    ] as const)
      expectRefusal(await step(path, body), 403, 'ACCESS_DENIED')
    await bounce()
    const change = await requested()
    const accountId = accountIdOf(snowflake(ada.id))
    const { addressHash, tickets } = guildhall.ports
    const token = await tickets.issue(verifyEmailTicket, { accountId, addressHash: addressHash(ada.email) }, 60)
    await guildhall.request('POST', '/v1/auth/verify', { body: { token } })
    expectRefusal(await step('verify-new', change), 403, 'ACCESS_DENIED')
  })
  it("refuses an address that is invalid, the same, or another account's", async () => {
    await bounce()
    const grace = await guildhall.register()
    const refused = (new_email: string) => step('request-new', { new_email })
    expectFields(await refused(' '), field('new_email', 'EMAIL_IS_REQUIRED'))
    expectFields(await refused('ada'), field('new_email', 'INVALID_EMAIL_ADDRESS'))
    expectFields(await refused(ada.email.toUpperCase()), field('new_email', 'NEW_EMAIL_MUST_BE_DIFFERENT'))
    expectFields(await refused(grace.email), field('new_email', 'EMAIL_ALREADY_IN_USE'))
  })
  it('refuses an address on the blocklist', async () => {
    await bounce()
    const admin = await administrator(guildhall, '*')
    const entry = { token: admin.token, body: { email: newEmail } }
    expect((await guildhall.request('POST', '/v1/admin/blocklists/email/entries', entry)).status).toBe(204)
    expectRefusal(await step('request-new', { new_email: newEmail.toUpperCase() }), 403, 'CONTENT_BLOCKED')
    expect((await step('request-new', { new_email: `other-${newEmail}` })).status).toBe(200)
  })
  it('accepts a ticket of the account, and the mailed code, once', async () => {
    await bounce()
    const { ticket, code } = await requested()
    const grace = await guildhall.register()
    await guildhall.mailTo(grace.email, 1)
    await bounce(grace)
    const foreign = field('ticket', 'INVALID_OR_EXPIRED_TICKET')
    expectFields(await step('verify-new', { ticket, code }, grace), foreign)
    expectFields(await step('verify-new', { ticket: 'no ticket', code }), foreign)
    const wrong = await step('verify-new', { ticket, code: wrongCode })
    expectFields(wrong, field('code', 'INVALID_VERIFICATION_CODE'))
    const tries = Array.from({ length: 4 }, () => step('verify-new', { ticket, code }))
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(bodyOf(await me())['email']).toBe(newEmail)
  })
  it('is refused if another account has registered with the address meanwhile', async () => {
    await bounce()
    const change = await requested()
    await guildhall.request('POST', '/v1/auth/register', { body: { email: newEmail, password: 'a password' } })
    expectFields(await step('verify-new', change), field('new_email', 'EMAIL_ALREADY_IN_USE'))
    expect(bodyOf(await me())).toMatchObject({ email: ada.email, email_bounced: true })
  })
  it('waits 30 seconds between two mails of a ticket', async () => {
    await bounce()
    const { ticket } = await requested()
    const again = await step('resend-new', { ticket })
    expectRefusal(again, 429, 'RATE_LIMITED')
    expect(again.body).toMatchObject({ global: false, retry_after: expect.any(Number) })
  })
})
