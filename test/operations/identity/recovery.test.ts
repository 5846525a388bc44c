import { beforeEach, describe, expect, it, vi } from 'vitest'
import { field } from '../../../domain/kernel/refusal.ts'
import { startTestGuildhall, type TestAccount, type TestAnswer } from '../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../support/answers.ts'
import { changeEmailAddress, tokenIn } from '../support/recovery.ts'
import { protect } from '../../support/authenticator.ts'
import { openServer } from '../support/scene.ts'
import { patience_ms } from '../../support/pace.ts'

const unknownToken = 'a'.repeat(64)
const newPassword = 'a new password'
const invalid = {
  verify: field('token', 'INVALID_OR_EXPIRED_VERIFICATION_TOKEN'),
  reset: field('token', 'INVALID_OR_EXPIRED_RESET_TOKEN'),
  revert: field('token', 'INVALID_OR_EXPIRED_REVERT_TOKEN'),
}

let ada: TestAccount

const guildhall = await openServer('mailing')
beforeEach(async () => {
  ada = await guildhall.register()
})

const post = (path: string, body: unknown, token?: string): Promise<TestAnswer> =>
  guildhall.request('POST', `/v1/auth/${path}`, { body, ...(token === undefined ? {} : { token }) })
const me = (token: string) => guildhall.request('GET', '/v1/users/@me', { token })
const login = (email: string, password: string) => post('login', { email, password })
const validity = (token: string) => guildhall.request('GET', `/v1/auth/reset/${token}`)
const mailedToken = async (address: string, count?: number) => tokenIn(await guildhall.mailTo(address, count))

/** The first mail to an account that registered here verifies its address. */
async function resetToken({ email }: TestAccount, count = 2): Promise<string> {
  expect(await post('forgot', { email })).toMatchObject({ status: 204, body: undefined })
  return mailedToken(email, count)
}

describe('the token of a mail', () => {
  it.each([
    ['verify', {}],
    ['reset', { password: newPassword }],
    ['email-revert', { password: newPassword }],
  ])('has exactly 64 characters: %s', async (path, others) => {
    const wrongLength = field('token', 'STRING_LENGTH_EXACT')
    for (const token of ['', 'a'.repeat(63), 'a'.repeat(65), 'a'.repeat(100_000)])
      expectFields(await post(path, { ...others, token }), wrongLength)
    for (const token of [7, null, ['a'], undefined])
      expectFields(await post(path, { ...others, token }), field('token', 'INVALID_FORMAT'))
  })

  it('is of one kind: none is valid as another', async () => {
    const verifying = await mailedToken(ada.email, 1)
    const resetting = await resetToken(ada)
    expectFields(await post('verify', { token: resetting }), invalid.verify)
    for (const token of [verifying, resetting])
      expectFields(await post('email-revert', { token, password: newPassword }), invalid.revert)
    expectFields(await post('reset', { token: verifying, password: newPassword }), invalid.reset)
    expect(bodyOf(await validity(verifying))).toStrictEqual({ valid: false })
    expect(bodyOf(await validity(resetting))).toStrictEqual({ valid: true })
  })

  it('is no credential', async () => {
    for (const token of [await mailedToken(ada.email, 1), await resetToken(ada)])
      for (const credential of [token, `Bearer ${token}`, `gld_${token.slice(0, 36)}`])
        expectRefusal(await me(credential), 401, 'UNAUTHORIZED')
  })
})

describe('Verify e-mail address', () => {
  it('marks the address of a registered account as verified, once', async () => {
    expect(bodyOf(await me(ada.token))).toMatchObject({ verified: false })
    const token = await mailedToken(ada.email)
    expect(await post('verify', { token })).toMatchObject({ status: 204, body: undefined })
    expect(bodyOf(await me(ada.token))).toMatchObject({ verified: true })
    expectFields(await post('verify', { token }), invalid.verify)
  })

  it('refuses an unknown token', async () => {
    expectFields(await post('verify', { token: unknownToken }), invalid.verify)
    expectFields(await post('verify', { token: '\u{1f600}'.repeat(64) }), invalid.verify)
  })

  it('is not needed without a mail server', async () => {
    const alone = await openServer()
    const bob = await alone.register()
    expect(bodyOf(await alone.request('GET', '/v1/users/@me', { token: bob.token }))).toMatchObject({ verified: true })
    await expect(alone.mailTo(bob.email)).rejects.toThrow('0 mails')
    const resent = await alone.request('POST', '/v1/auth/verify/resend', { token: bob.token })
    expect(resent).toMatchObject({ status: 204, body: undefined })
    await expect(alone.mailTo(bob.email)).rejects.toThrow('0 mails')
  })
})

describe('Resend verification e-mail', () => {
  it('sends another token, and the first one stays valid', async () => {
    const first = await mailedToken(ada.email, 1)
    expect(await post('verify/resend', undefined, ada.token)).toMatchObject({ status: 204, body: undefined })
    const second = await mailedToken(ada.email, 2)
    expect(second).not.toBe(first)
    expect((await post('verify', { token: first })).status).toBe(204)
    expect((await post('verify', { token: second })).status).toBe(204)
  })

  it('sends nothing if there is nothing to verify', async () => {
    await post('verify', { token: await mailedToken(ada.email, 1) })
    expect((await post('verify/resend', undefined, ada.token)).status).toBe(204)
    const unclaimed = String(bodyOf(await post('register', {}))['token'])
    expect((await post('verify/resend', undefined, unclaimed)).status).toBe(204)
    // Once the next mail has arrived, so has every earlier one to that address.
    await resetToken(ada)
    expect((await guildhall.mailTo(ada.email, 2)).subject).toContain('password')
  })

  it('needs a session', async () => {
    expectRefusal(await post('verify/resend', undefined), 401, 'UNAUTHORIZED')
  })

  it('succeeds three times in 15 minutes for an address', async () => {
    const limited = await startTestGuildhall({ withMailServer: true, rateLimits: true })
    const { token } = await limited.register()
    const answers = []
    for (let times = 0; times < 4; times += 1)
      answers.push(await limited.request('POST', '/v1/auth/verify/resend', { token }))
    expect(answers.map(({ status }) => status)).toStrictEqual([204, 204, 204, 429])
    expect(answers[3]?.body).toMatchObject({ code: 'RATE_LIMITED', global: false, retry_after: expect.any(Number) })
    await limited.close()
  })
})

describe('Forgot password', () => {
  it('gives the same answer for an unknown address, to which nothing is sent', async () => {
    const unknown = await post('forgot', { email: 'nobody@example.com' })
    const known = await post('forgot', { email: ada.email.toUpperCase() })
    expect([unknown.status, unknown.body]).toStrictEqual([known.status, known.body])
    expect(namesOf(unknown)).toStrictEqual(namesOf(known))
    await mailedToken(ada.email, 2)
    const recipients = guildhall.mailServer?.received.flatMap(({ to }) => to)
    expect(recipients).toContain(ada.email)
    expect(recipients).not.toContain('nobody@example.com')
  })

  it('refuses an invalid address', async () => {
    expectFields(await post('forgot', { email: 'nobody' }), field('email', 'INVALID_EMAIL_FORMAT'))
    expectFields(await post('forgot', {}), field('email', 'INVALID_FORMAT'))
    const two = `${ada.email}, eve@example.com`
    expectFields(await post('forgot', { email: two }), field('email', 'INVALID_EMAIL_LOCAL_PART'))
    expectFields(
      await post('forgot', { email: `${ada.email}\r\nBcc: eve@example.com` }),
      field('email', 'INVALID_EMAIL_LOCAL_PART'),
    )
  })

  it('is kept for the operator if there is no mail server', async () => {
    const alone = await openServer()
    const { email } = await alone.register()
    await alone.request('POST', '/v1/auth/forgot', { body: { email } })
    const token = tokenIn(await vi.waitFor(() => alone.mailTo(email), { timeout: patience_ms }))
    const body = { token, password: newPassword }
    expect(bodyOf(await alone.request('POST', '/v1/auth/reset', { body }))).toHaveProperty('token')
  })
})

/** The headers of an answer, without those that differ for each request. */
function namesOf({ headers }: TestAnswer): readonly string[] {
  return [...headers.keys()].toSorted()
}

describe('Check password reset token', () => {
  it('says whether a token is valid, and leaves it as it is', async () => {
    const token = await resetToken(ada)
    for (let times = 0; times < 2; times += 1) expect(bodyOf(await validity(token))).toStrictEqual({ valid: true })
    expect(bodyOf(await validity(unknownToken))).toStrictEqual({ valid: false })
    await post('reset', { token, password: newPassword })
    expect(bodyOf(await validity(token))).toStrictEqual({ valid: false })
  })

  it('refuses a text without exactly 64 characters', async () => {
    for (const token of ['a', 'a'.repeat(63), 'a'.repeat(65)])
      expectFields(await validity(token), field('token', 'STRING_LENGTH_EXACT'))
  })
})

describe('Reset password', () => {
  it('sets another password, ends every session, begins one, and informs the holder', async () => {
    const body = bodyOf(await post('reset', { token: await resetToken(ada), password: newPassword }))
    expect(Object.keys(body).toSorted()).toStrictEqual(['token', 'user', 'user_id'])
    expectRefusal(await me(ada.token), 401, 'UNAUTHORIZED')
    expect(bodyOf(await me(String(body['token'])))).toMatchObject({ id: ada.id })
    expect((await login(ada.email, ada.password)).status).toBe(400)
    expect((await login(ada.email, newPassword)).status).toBe(200)
    expect((await guildhall.mailTo(ada.email, 3)).subject).toContain('password was changed')
  })

  it('succeeds once with one token; other tokens stay valid', async () => {
    const [first, second] = [await resetToken(ada), await resetToken(ada, 3)]
    expect((await post('reset', { token: first, password: newPassword })).status).toBe(200)
    expectFields(await post('reset', { token: first, password: newPassword }), invalid.reset)
    expect((await post('reset', { token: second, password: 'yet another one' })).status).toBe(200)
    expect((await login(ada.email, 'yet another one')).status).toBe(200)
  })

  it('succeeds once in a race with one token', async () => {
    const token = await resetToken(ada)
    const passwords = Array.from({ length: 8 }, (_none, index) => `racing password ${index}`)
    const answers = await Promise.all(passwords.map((password) => post('reset', { token, password })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers) if (answer.status !== 200) expectFields(answer, invalid.reset)
    const [winner] = passwords.filter((_password, index) => answers[index]?.status === 200)
    expect((await login(ada.email, String(winner))).status).toBe(200)
  })

  it('requires the second factor of an account that has one, and begins no session', async () => {
    await post('verify', { token: await mailedToken(ada.email, 1) })
    await protect(guildhall, ada)
    // The mail about the authenticator comes before it.
    const body = bodyOf(await post('reset', { token: await resetToken(ada, 3), password: newPassword }))
    expect(body).toStrictEqual({
      mfa: true,
      ticket: expect.any(String),
      allowed_methods: ['totp'],
      totp: true,
      webauthn: false,
    })
    expectRefusal(await me(ada.token), 401, 'UNAUTHORIZED')
  })

  it('refuses a common password, and the token stays valid for a better one', async () => {
    const token = await resetToken(ada)
    const common = field('password', 'PASSWORD_IS_TOO_COMMON')
    expectFields(await post('reset', { token, password: 'Password1' }), common)
    expectFields(await post('reset', { token, password: 'short' }), field('password', 'PASSWORD_LENGTH_INVALID'))
    expect((await post('reset', { token, password: newPassword })).status).toBe(200)
  })

  it('refuses an unknown token, and one for an address that the account no longer has', async () => {
    expectFields(await post('reset', { token: unknownToken, password: newPassword }), invalid.reset)
    const token = await resetToken(ada)
    await changeEmailAddress(guildhall, ada, `moved.${ada.email}`)
    expect(bodyOf(await validity(token))).toStrictEqual({ valid: false })
    expectFields(await post('reset', { token, password: newPassword }), invalid.reset)
  })
})

describe('a common password', () => {
  it.each(['password', 'Password123', 'QWERTYUIOP', ' iloveyou ', '1q2w3e4r', '12345678'])(
    'is refused in a registration: %s',
    async (password) => {
      expectFields(await post('register', { password }), field('password', 'PASSWORD_IS_TOO_COMMON'))
    },
  )
})
