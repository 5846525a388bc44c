import { describe, expect, it } from 'vitest'
import { testContext } from '../../../support/test-context.ts'
import { bodyOf, expectRefusal } from '../../support/answers.ts'
import { openProvider, openWith, signOn, withPolicy } from '../../support/single-sign-on.ts'

const provider = await openProvider()
const guildhall = await openWith(provider)
/** Registers before single sign-on is enforced. */
const known = await guildhall.register()
await guildhall.ports.instancePolicies.change({ singleSignOn: { enforced: true } }, testContext())

describe('an instance that enforces single sign-on', () => {
  it('closes the other ways in', async () => {
    const { email, password } = known
    const login = await guildhall.request('POST', '/v1/auth/login', { body: { email, password } })
    expectRefusal(login, 403, 'SSO_REQUIRED')
    expectRefusal(await guildhall.request('POST', '/v1/auth/register', { body: {} }), 403, 'SSO_REQUIRED')
    expectRefusal(
      await guildhall.request('POST', '/v1/auth/verify/resend', { token: known.token }),
      403,
      'SSO_REQUIRED',
    )
  })

  it('tells so', async () => {
    expect(bodyOf(await guildhall.request('GET', '/v1/auth/sso/status'))).toMatchObject({
      enabled: true,
      enforced: true,
    })
  })

  it('leaves issued session tokens valid', async () => {
    expect(bodyOf(await guildhall.request('GET', '/v1/users/@me', { token: known.token }))).toMatchObject({
      id: known.id,
    })
  })

  it('does not gate password change and multi-factor management on an account', async () => {
    const { token, password } = known
    const ask = (path: string, body: object = {}) => guildhall.request('POST', path, { token, body })
    expect((await ask('/v1/users/@me/password-change/start')).status).toBe(200)
    const sudo = { password, backup_codes: true, secret: 'x', code: '000000' }
    expect((await ask('/v1/users/@me/mfa/totp/enable', sudo)).body).toMatchObject({ code: 'INVALID_FORM_BODY' })
    expect((await ask('/v1/users/@me/mfa/webauthn/credentials/registration-options', { password })).status).toBe(200)
  })

  it('signs people in with the provider', async () => {
    provider.person = { sub: 'known', email: known.email, email_verified: true }
    expect(bodyOf(await signOn(guildhall))).toMatchObject({ user_id: known.id })
  })
})

describe('an instance that enforces single sign-on, which is off', () => {
  it('closes nothing', async () => {
    await withPolicy(guildhall, { singleSignOn: { enabled: false } }, async () => {
      expect(await guildhall.register()).toHaveProperty('token')
      const status = bodyOf(await guildhall.request('GET', '/v1/auth/sso/status'))
      expect(status).toMatchObject({ enabled: false, enforced: false })
    })
  })
})
