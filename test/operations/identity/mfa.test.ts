import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../domain/kernel/refusal.ts'
import { authenticator, backupCode, protect, sudoHeader, sudoProofOf } from '../../support/authenticator.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'

let ada: TestAccount

const guildhall = await openServer()
beforeEach(async () => {
  ada = await guildhall.register()
})

type Headers = Readonly<Record<string, string>>

const post = ({ token }: { readonly token: string }, path: string, body: object, headers: Headers = {}) =>
  guildhall.request('POST', `/v1/users/@me/mfa/${path}`, { token, body, headers })
const me = async ({ token }: TestAccount) => bodyOf(await guildhall.request('GET', '/v1/users/@me', { token }))
const methods = async ({ token }: TestAccount) =>
  bodyOf(await guildhall.request('GET', '/v1/users/@me/sudo/mfa-methods', { token }))

describe('Enable TOTP', () => {
  const enable = (body: object) => post(ada, 'totp/enable', { password: ada.password, ...body })

  it('answers with ten backup codes, and the account then shows it', async () => {
    const app = authenticator()
    const answer = await enable({ secret: app.secret, code: app.code() })
    const codes = bodyOf(answer)['backup_codes'] as readonly { readonly code: string; readonly consumed: boolean }[]
    expect(new Set(codes.map(({ code }) => code)).size).toBe(10)
    for (const one of codes)
      expect(one).toStrictEqual({ code: expect.stringMatching(/^[a-z0-9]{4}-[a-z0-9]{4}$/), consumed: false })
    expect(await me(ada)).toMatchObject({ mfa_enabled: true, authenticator_types: [0] })
    expect(sudoProofOf(answer)).toBeNull()
  })

  it('accepts a secret in any spelling: in groups, in lower case, with padding', async () => {
    const app = authenticator()
    const secret = `${app.secret
      .toLowerCase()
      .replace(/(.{4})/g, '$1 ')
      .replace(' ', '-')}====`
    expect((await enable({ secret, code: ` ${app.code()} ` })).status).toBe(200)
  })

  it('accepts a secret of 256 characters', async () => {
    const long = authenticator('A'.repeat(256))
    expect((await enable({ secret: long.secret, code: long.code() })).status).toBe(200)
  })

  it('refuses a code that does not match the secret, and an invalid secret', async () => {
    const app = authenticator()
    const wrongCode = field('code', 'INVALID_CODE')
    for (const code of [app.wrongCode(), 'abcd-1234', '1'.repeat(33), ''])
      expectFields(await enable({ secret: app.secret, code }), wrongCode)
    for (const secret of ['not base 32!', 'ABCDEFGH', 'A'.repeat(33), '1'.repeat(32), '===='])
      expectFields(await enable({ secret, code: '123456' }), field('secret', 'INVALID_FORMAT'))
    for (const secret of ['', 'A'.repeat(257)])
      expectFields(await enable({ secret, code: '123456' }), field('secret', 'STRING_LENGTH_INVALID'))
    expectFields(await enable({}), field('secret', 'INVALID_FORMAT'), field('code', 'INVALID_FORMAT'))
    expect(await me(ada)).toMatchObject({ mfa_enabled: false })
  })

  it('refuses an account that has it already, though not before sudo mode', async () => {
    const safe = await protect(guildhall, ada)
    const other = authenticator()
    const body = { secret: other.secret, code: other.code() }
    expectRefusal(await post(safe, 'totp/enable', body), 403, 'SUDO_MODE_REQUIRED')
    const proved = { ...body, mfa_method: 'totp', mfa_code: backupCode(safe, 0) }
    expectRefusal(await post(safe, 'totp/enable', proved), 400, 'TWO_FA_NOT_ENABLED')
  })

  it('refuses an account without a verified address', async () => {
    const { token } = bodyOf(await guildhall.request('POST', '/v1/auth/register', { body: {} }))
    const app = authenticator()
    const body = { secret: app.secret, code: app.code() }
    expectRefusal(await post({ token: String(token) }, 'totp/enable', body), 403, 'MFA_EMAIL_VERIFICATION_REQUIRED')
  })

  it('succeeds once if ten come at the same moment', async () => {
    const apps = Array.from({ length: 10 }, () => authenticator())
    const answers = await Promise.all(apps.map((app) => enable({ secret: app.secret, code: app.code() })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('uses up the code that it was given', async () => {
    const app = authenticator()
    const code = app.code()
    expect((await enable({ secret: app.secret, code })).status).toBe(200)
    const again = await post(ada, 'backup-codes', { regenerate: false, mfa_method: 'totp', mfa_code: code })
    expectFields(again, field('mfa_code', 'INVALID_MFA_CODE'))
  })
})

describe('Disable TOTP', () => {
  it('accepts a code, and leaves neither TOTP nor backup codes', async () => {
    const safe = await protect(guildhall, ada)
    const body = { code: safe.app.code(), mfa_method: 'totp', mfa_code: backupCode(safe, 0) }
    const answer = await post(safe, 'totp/disable', body)
    expect(answer).toMatchObject({ status: 204, body: undefined })
    expect(sudoProofOf(answer)).toBeNull()
    expect(await me(ada)).toMatchObject({ mfa_enabled: false })
    const none = { totp: false, webauthn: false, backup_codes: false, has_mfa: false }
    expect(await methods(ada)).toStrictEqual(none)
    const codes = await post(ada, 'backup-codes', { regenerate: false, password: ada.password })
    expect(bodyOf(codes)).toStrictEqual({ backup_codes: [] })
  })

  it('accepts a backup code', async () => {
    const safe = await protect(guildhall, ada)
    const body = { code: backupCode(safe, 1), mfa_method: 'totp', mfa_code: safe.app.code() }
    expect((await post(safe, 'totp/disable', body)).status).toBe(204)
  })

  it('refuses a wrong code, and the code that proved sudo mode', async () => {
    const safe = await protect(guildhall, ada)
    const code = backupCode(safe, 0)
    const same = await post(safe, 'totp/disable', { code, mfa_method: 'totp', mfa_code: code })
    expectFields(same, field('code', 'INVALID_CODE'))
    const wrong = { code: safe.app.wrongCode(), mfa_method: 'totp', mfa_code: backupCode(safe, 1) }
    expectFields(await post(safe, 'totp/disable', wrong), field('code', 'INVALID_CODE'))
    expect(await me(ada)).toMatchObject({ mfa_enabled: true })
  })

  it('refuses an account that has none', async () => {
    const body = { code: '123456', password: ada.password }
    expectRefusal(await post(ada, 'totp/disable', body), 400, 'TWO_FACTOR_REQUIRED')
  })
})

describe('Get MFA backup codes', () => {
  it('shows the present ones, or creates ten new ones and discards the others', async () => {
    const safe = await protect(guildhall, ada)
    const first = { mfa_method: 'totp', mfa_code: backupCode(safe, 2) }
    const shown = await post(safe, 'backup-codes', { regenerate: false, ...first })
    const held = safe.backupCodes.map((code, index) => ({ code, consumed: index === 2 }))
    expect(bodyOf(shown)).toStrictEqual({ backup_codes: held })
    const proved = { [sudoHeader]: String(sudoProofOf(shown)) }
    const made = bodyOf(await post(safe, 'backup-codes', { regenerate: true }, proved))['backup_codes']
    expect(made).toHaveLength(10)
    for (const code of safe.backupCodes) expect(made).not.toContainEqual(expect.objectContaining({ code }))
    expect(bodyOf(await post(safe, 'backup-codes', { regenerate: false }, proved))['backup_codes']).toStrictEqual(made)
    const old = { mfa_method: 'totp', mfa_code: backupCode(safe, 3) }
    expectFields(await post(safe, 'backup-codes', { regenerate: false, ...old }), field('mfa_code', 'INVALID_MFA_CODE'))
  })

  it('creates none for an account without a second factor', async () => {
    const body = { regenerate: true, password: ada.password }
    expectRefusal(await post(ada, 'backup-codes', body), 400, 'TWO_FACTOR_REQUIRED')
  })

  it('requires the choice whether to create new ones', async () => {
    expectFields(await post(ada, 'backup-codes', { password: ada.password }), field('regenerate', 'INVALID_FORMAT'))
  })
})

describe('List sudo MFA methods', () => {
  it('lists how the account can prove itself', async () => {
    expect(await methods(ada)).toStrictEqual({ totp: false, webauthn: false, backup_codes: false, has_mfa: false })
    await protect(guildhall, ada)
    expect(await methods(ada)).toStrictEqual({ totp: true, webauthn: false, backup_codes: true, has_mfa: true })
  })
})

describe('second factors', () => {
  it('need a session: without one, all their operations are 401', async () => {
    const paths = ['totp/enable', 'totp/disable', 'backup-codes', 'backup-codes/challenge']
    for (const path of paths) {
      const answer = await guildhall.request('POST', `/v1/users/@me/mfa/${path}`, { body: {} })
      expectRefusal(answer, 401, 'UNAUTHORIZED')
    }
    expectRefusal(await guildhall.request('GET', '/v1/users/@me/sudo/mfa-methods'), 401, 'UNAUTHORIZED')
  })
})
