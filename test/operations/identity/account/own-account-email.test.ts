import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { protect } from '../../../support/authenticator.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { codeIn, wrongCode } from '../../support/emailed-codes.ts'
import { tokenIn } from '../../support/recovery.ts'
import { openServer } from '../../support/scene.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let ada: TestAccount
let newEmail: string

/** Without a mail server, addresses count as verified, so the present one must be proved. */
const guildhall = await openServer()
beforeEach(async () => {
  ada = await guildhall.register()
  newEmail = `${randomBytes(6).toString('hex')}@example.org`
})

type Token = Pick<TestAccount, 'token'>

const ascending = (one: number, other: number): number => one - other
const step = ({ token }: Token, path: string, body?: object) =>
  guildhall.request('POST', `/v1/users/@me/email-change/${path}`, { token, ...(body ? { body } : {}) })
const me = ({ token }: Token) => guildhall.request('GET', '/v1/users/@me', { token })
const login = (email: string, password: string) =>
  guildhall.request('POST', '/v1/auth/login', { body: { email, password } })
const patch = ({ token }: Token, body: object) => guildhall.request('PATCH', '/v1/users/@me', { token, body })

const start = async (account: Token = ada) => bodyOf(await step(account, 'start'))

/** Goes as far as the proof of the present address. */
async function proved(
  account: TestAccount = ada,
): Promise<{ readonly ticket: string; readonly original_proof: string }> {
  const { ticket } = await start(account)
  const code = codeIn(await guildhall.mailTo(account.email))
  const { original_proof: proof } = bodyOf(await step(account, 'verify-original', { ticket, code }))
  return { ticket: String(ticket), original_proof: String(proof) }
}

/** Goes as far as the token that applies the change. */
async function emailToken(account: TestAccount = ada, email = newEmail): Promise<string> {
  const change = await proved(account)
  bodyOf(await step(account, 'request-new', { ...change, new_email: email }))
  const code = codeIn(await guildhall.mailTo(email))
  return String(bodyOf(await step(account, 'verify-new', { ...change, code }))['email_token'])
}

describe('Start e-mail change', () => {
  it('mails a code to a verified address', async () => {
    const body = await start()
    expect(body).toStrictEqual({
      ticket: expect.stringMatching(uuid),
      require_original: true,
      original_email: ada.email,
      original_proof: null,
      original_code_expires_at: expect.any(String),
      resend_available_at: expect.any(String),
    })
    const sent = await guildhall.mailTo(ada.email)
    expect(codeIn(sent)).toMatch(/^[A-Z0-9]{4}-[A-Z0-9]{4}$/)
  })

  it('returns the proof at once if there is no address to prove', async () => {
    const { token } = bodyOf(await guildhall.request('POST', '/v1/auth/register', { body: {} }))
    expect(await start({ token: String(token) })).toMatchObject({
      require_original: false,
      original_email: null,
      original_proof: expect.stringMatching(uuid),
    })
  })

  it('is refused for a claimed account without an address', async () => {
    const body = { password: 'a password' }
    const { token } = bodyOf(await guildhall.request('POST', '/v1/auth/register', { body }))
    expectFields(await step({ token: String(token) }, 'start'), field('email', 'MUST_HAVE_EMAIL_TO_CHANGE_IT'))
  })

  it('mails 3 codes in 15 minutes to the present address, including repeated ones', async () => {
    const limited = await openServer('limited')
    const { token } = await limited.register()
    const answers = []
    for (let count = 0; count < 4; count += 1)
      answers.push(await limited.request('POST', '/v1/users/@me/email-change/start', { token }))
    expect(answers.map(({ status }) => status)).toStrictEqual([200, 200, 200, 429])
  })
})

describe('Verify present e-mail address', () => {
  it('accepts the code once, in any case and without the hyphen', async () => {
    const { ticket } = await start()
    const code = codeIn(await guildhall.mailTo(ada.email))
      .toLowerCase()
      .replace('-', '')
    const answer = await step(ada, 'verify-original', { ticket, code })
    expect(bodyOf(answer)).toStrictEqual({ original_proof: expect.stringMatching(uuid) })
    const again = await step(ada, 'verify-original', { ticket, code })
    expectFields(again, field('ticket', 'ORIGINAL_EMAIL_ALREADY_VERIFIED'))
  })

  it('accepts one of several at the same moment', async () => {
    const { ticket } = await start()
    const code = codeIn(await guildhall.mailTo(ada.email))
    const tries = Array.from({ length: 5 }, () => step(ada, 'verify-original', { ticket, code }))
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.toSorted(ascending)).toStrictEqual([200, 400, 400, 400, 400])
  })

  it('refuses a wrong code, and a ticket of another account', async () => {
    const { ticket } = await start()
    const code = codeIn(await guildhall.mailTo(ada.email))
    const wrong = await step(ada, 'verify-original', { ticket, code: wrongCode })
    expectFields(wrong, field('code', 'INVALID_VERIFICATION_CODE'))
    const grace = await guildhall.register()
    const foreign = field('ticket', 'INVALID_OR_EXPIRED_TICKET')
    expectFields(await step(grace, 'verify-original', { ticket, code }), foreign)
    expectFields(await step(ada, 'verify-original', { ticket: 'no ticket', code }), foreign)
    expect((await step(ada, 'verify-original', { ticket, code })).status).toBe(200)
  })

  it('is not required of an account without an address', async () => {
    const { token } = bodyOf(await guildhall.request('POST', '/v1/auth/register', { body: {} }))
    const { ticket } = await start({ token: String(token) })
    const needless = field('ticket', 'ORIGINAL_VERIFICATION_NOT_REQUIRED')
    expectFields(await step({ token: String(token) }, 'verify-original', { ticket, code: wrongCode }), needless)
    expectFields(await step({ token: String(token) }, 'resend-original', { ticket }), needless)
  })
})

describe('Request new e-mail address', () => {
  it('mails a code to it, and answers with the ticket', async () => {
    const change = await proved()
    const upper = newEmail.toUpperCase()
    expect(bodyOf(await step(ada, 'request-new', { ...change, new_email: upper }))).toStrictEqual({
      ticket: change.ticket,
      new_email: newEmail,
      new_code_expires_at: expect.any(String),
      resend_available_at: expect.any(String),
    })
    expect(codeIn(await guildhall.mailTo(newEmail))).toHaveLength(9)
  })

  it('requires the present address to be verified first, and the right proof of it', async () => {
    const { ticket } = await start()
    const body = { ticket, original_proof: 'x', new_email: newEmail }
    const unverified = await step(ada, 'request-new', body)
    expectFields(unverified, field('ticket', 'ORIGINAL_EMAIL_MUST_BE_VERIFIED_FIRST'))
    const change = await proved()
    const wrong = await step(ada, 'request-new', { ...change, original_proof: 'x', new_email: newEmail })
    expectFields(wrong, field('original_proof', 'INVALID_PROOF_TOKEN'))
  })

  it("refuses an address that is invalid, the same, or another account's", async () => {
    const change = await proved()
    const grace = await guildhall.register()
    const refused = async (new_email: string) => step(ada, 'request-new', { ...change, new_email })
    expectFields(await refused(' '), field('new_email', 'EMAIL_IS_REQUIRED'))
    expectFields(await refused('ada'), field('new_email', 'INVALID_EMAIL_ADDRESS'))
    expectFields(await refused(ada.email.toUpperCase()), field('new_email', 'NEW_EMAIL_MUST_BE_DIFFERENT'))
    expectFields(await refused(grace.email), field('new_email', 'EMAIL_ALREADY_IN_USE'))
    const common = { ...change, new_email: newEmail, new_password: 'password123' }
    expectFields(await step(ada, 'request-new', common), field('new_password', 'PASSWORD_IS_TOO_COMMON'))
  })

  it('waits 30 seconds between two mails, and repeats none that was never sent', async () => {
    const change = await proved()
    expectFields(await step(ada, 'resend-new', change), field('ticket', 'NO_NEW_EMAIL_REQUESTED'))
    expect((await step(ada, 'request-new', { ...change, new_email: newEmail })).status).toBe(200)
    for (const again of [
      await step(ada, 'resend-new', change),
      await step(ada, 'request-new', { ...change, new_email: `other.${newEmail}` }),
    ]) {
      expectRefusal(again, 429, 'RATE_LIMITED')
      expect(again.body).toMatchObject({ global: false, retry_after: expect.any(Number) })
    }
  })
})

describe('Verify new e-mail address', () => {
  it('ends the ticket with a token', async () => {
    const change = await proved()
    const early = await step(ada, 'verify-new', { ...change, code: wrongCode })
    expectFields(early, field('code', 'VERIFICATION_CODE_NOT_ISSUED'))
    await step(ada, 'request-new', { ...change, new_email: newEmail })
    const code = codeIn(await guildhall.mailTo(newEmail))
    const wrong = await step(ada, 'verify-new', { ...change, code: wrongCode })
    expectFields(wrong, field('code', 'INVALID_VERIFICATION_CODE'))
    const unproved = await step(ada, 'verify-new', { ...change, original_proof: 'x', code })
    expectFields(unproved, field('original_proof', 'INVALID_PROOF_TOKEN'))
    expect(bodyOf(await step(ada, 'verify-new', { ...change, code }))).toStrictEqual({
      email_token: expect.stringMatching(uuid),
    })
    for (const path of ['verify-new', 'verify-original', 'resend-new', 'resend-original'])
      expectFields(await step(ada, path, { ...change, code }), field('ticket', 'TICKET_ALREADY_COMPLETED'))
  })
})

describe('Apply e-mail change', () => {
  it('gives the account the new address, verified, and releases the old one; sessions survive', async () => {
    const token = await emailToken()
    const applied = await step(ada, 'apply', { email_token: token, password: ada.password })
    expect(bodyOf(applied)).toMatchObject({ id: ada.id, email: newEmail, verified: true })
    expect(bodyOf(await me(ada))).toStrictEqual(bodyOf(applied))
    expect((await login(newEmail, ada.password)).status).toBe(200)
    expect((await login(ada.email, ada.password)).status).toBe(400)
    const body = { email: ada.email, password: 'a password' }
    expect((await guildhall.request('POST', '/v1/auth/register', { body })).status).toBe(200)
  })

  it('needs sudo mode, and keeps the token for the next try', async () => {
    const token = await emailToken()
    expectRefusal(await step(ada, 'apply', { email_token: token }), 403, 'SUDO_MODE_REQUIRED')
    expect((await step(ada, 'apply', { email_token: token, password: ada.password })).status).toBe(200)
  })

  it('accepts a token once, from the account that it was created for', async () => {
    const token = await emailToken()
    const invalid = field('email_token', 'INVALID_EMAIL_TOKEN')
    const grace = await guildhall.register()
    expectFields(await step(grace, 'apply', { email_token: token, password: grace.password }), invalid)
    const tries = Array.from({ length: 4 }, () => step(ada, 'apply', { email_token: token, password: ada.password }))
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.toSorted(ascending)).toStrictEqual([200, 400, 400, 400])
    expectFields(await step(ada, 'apply', { email_token: token, password: ada.password }), invalid)
  })

  it('is refused if another account has registered with the address meanwhile', async () => {
    const token = await emailToken()
    await guildhall.request('POST', '/v1/auth/register', { body: { email: newEmail, password: 'a password' } })
    const late = await step(ada, 'apply', { email_token: token, password: ada.password })
    expectFields(late, field('email_token', 'EMAIL_ALREADY_IN_USE'))
    expect(bodyOf(await me(ada))['email']).toBe(ada.email)
  })

  it('succeeds for one of two accounts that want the same address', async () => {
    const grace = await guildhall.register()
    const first = await emailToken(ada)
    const change = await proved(grace)
    await step(grace, 'request-new', { ...change, new_email: newEmail })
    const code = codeIn(await guildhall.mailTo(newEmail))
    const second = String(bodyOf(await step(grace, 'verify-new', { ...change, code }))['email_token'])
    const answers = await Promise.all([
      step(ada, 'apply', { email_token: first, password: ada.password }),
      step(grace, 'apply', { email_token: second, password: grace.password }),
    ])
    expect(answers.map(({ status }) => status).toSorted(ascending)).toStrictEqual([200, 400])
  })

  it("can be reverted by the reader of the old address's mails, including second factors", async () => {
    await step(ada, 'apply', { email_token: await emailToken(), password: ada.password })
    const token = tokenIn(await guildhall.mailTo(ada.email))
    await protect(guildhall, { ...ada, email: newEmail })
    const body = { token, password: 'my own password' }
    const reverted = await guildhall.request('POST', '/v1/auth/email-revert', { body })
    expect(bodyOf(reverted)).toMatchObject({ user_id: ada.id })
    const back = await me({ token: String(bodyOf(reverted)['token']) })
    expect(bodyOf(back)).toMatchObject({ email: ada.email, verified: true, mfa_enabled: false })
    expectRefusal(await me(ada), 401, 'UNAUTHORIZED')
    const free = { email: newEmail, password: 'a password' }
    expect((await guildhall.request('POST', '/v1/auth/register', { body: free })).status).toBe(200)
  })
})

describe('Modify current user: email_token', () => {
  it('applies a verified address, in sudo mode', async () => {
    const token = await emailToken()
    expectRefusal(await patch(ada, { email_token: token }), 403, 'SUDO_MODE_REQUIRED')
    expectFields(
      await patch(ada, { email_token: 'no token', password: ada.password }),
      field('email_token', 'INVALID_EMAIL_TOKEN'),
    )
    const body = { email_token: token, bio: 'Notes', password: ada.password }
    expect(bodyOf(await patch(ada, body))).toMatchObject({ email: newEmail, bio: 'Notes' })
  })

  it('claims an unclaimed account together with a first password', async () => {
    const { token } = bodyOf(await guildhall.request('POST', '/v1/auth/register', { body: {} }))
    const newcomer = { token: String(token) }
    const { ticket, original_proof } = await start(newcomer)
    await step(newcomer, 'request-new', { ticket, original_proof, new_email: newEmail })
    const code = codeIn(await guildhall.mailTo(newEmail))
    const proof = bodyOf(await step(newcomer, 'verify-new', { ticket, original_proof, code }))
    const claimed = await patch(newcomer, { email_token: proof['email_token'], new_password: 'a first password' })
    expect(bodyOf(claimed)).toMatchObject({ email: newEmail, verified: true })
    expect((await login(newEmail, 'a first password')).status).toBe(200)
  })
})
