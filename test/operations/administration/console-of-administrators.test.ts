import { describe, expect, it } from 'vitest'
import { field } from '../../../domain/kernel/refusal.ts'
import { administrator, auditEntries } from '../../support/administrators.ts'
import { backupCode, protect, sudoProofOf, type ProtectedAccount } from '../../support/authenticator.ts'
import { bodyOf, expectFields, expectRefusal } from '../support/answers.ts'
import { beginSignIn, codeIn, exchangeCode, refreshConsole, signedInBy, signInToConsole } from '../support/console.ts'
import { openPage, sendForm } from '../support/pages.ts'
import { authenticatorAt, enrol, requestOptions } from '../support/passkeys.ts'
import { openServer } from '../support/scene.ts'

/** Below /v1/admin the console may do what a session may do; sudo mode asks the same of both. */

const guildhall = await openServer()
const { request } = guildhall
const sudoHeader = 'x-service-sudo-mode-jwt'

const makeKey = (token: string, proof: object = {}, headers = {}) => {
  const body = { name: 'Key', acls: ['admin:authenticate'], ...proof }
  return request('POST', '/v1/admin/api-keys', { token, body, headers })
}

/** Signs in with an authenticator's backup code as second step. */
async function signInWithCode(account: ProtectedAccount, index: number) {
  const { url, verifier } = beginSignIn(guildhall)
  const second = await sendForm(await openPage(url), { name: account.email, password: account.password })
  const back = await sendForm(second, { code: backupCode(account, index) })
  return signedInBy(await exchangeCode(guildhall, codeIn(back), verifier))
}

const protectedAdministrator = async () => protect(guildhall, await administrator(guildhall, '*'))

describe('the console of an administrator', () => {
  it('acts on accounts, and its acts are in the audit log as those of a bearer', async () => {
    const root = await administrator(guildhall, '*')
    const { token } = await signInToConsole(guildhall, root)
    const target = await guildhall.register()
    const banned = await request('PUT', `/v1/admin/users/${target.id}/ban`, { token, body: { duration_hours: 1 } })
    expect(banned.status).toBeLessThan(300)
    const entries = (await auditEntries(guildhall)).filter(({ targetId }) => targetId === target.id)
    expect(entries).toMatchObject([{ adminId: root.id, credential: 'bearer', action: 'temp_ban' }])
  })

  it('of an account without a second factor makes an Admin key without a proof, as a session does', async () => {
    const root = await administrator(guildhall, '*')
    const { token } = await signInToConsole(guildhall, root)
    expect((await makeKey(token)).status).toBe((await makeKey(root.token)).status)
    expect((await makeKey(token)).status).toBeLessThan(300)
  })

  it('is asked for a second factor, and gets a proof that serves the next request', async () => {
    const root = await protectedAdministrator()
    const { token } = await signInWithCode(root, 0)
    const refused = await makeKey(token)
    expectRefusal(refused, 403, 'SUDO_MODE_REQUIRED')
    expect(refused.body).toMatchObject({ methods: { totp: true, webauthn: false } })
    const wrong = { mfa_method: 'totp', mfa_code: root.app.wrongCode() }
    expectFields(await makeKey(token, wrong), field('mfa_code', 'INVALID_MFA_CODE'))
    const first = await makeKey(token, { mfa_method: 'totp', mfa_code: backupCode(root, 1) })
    expect(first.status).toBeLessThan(300)
    const proof = sudoProofOf(first)
    expect(proof).not.toBeNull()
    expect((await makeKey(token, {}, { [sudoHeader]: proof ?? '' })).status).toBeLessThan(300)
    const methods = await request('GET', '/v1/users/@me/sudo/mfa-methods', { token })
    expect(bodyOf(methods)).toMatchObject({ totp: true })
  })

  it('has proofs that end with its sign-in', async () => {
    const root = await protectedAdministrator()
    const console = await signInWithCode(root, 0)
    const proof = sudoProofOf(await makeKey(console.token, { mfa_method: 'totp', mfa_code: backupCode(root, 1) })) ?? ''
    const refreshed = signedInBy(await refreshConsole(guildhall, console))
    expect((await makeKey(refreshed.token, {}, { [sudoHeader]: proof })).status).toBeLessThan(300)
    await request('DELETE', '/console/session', { headers: { cookie: refreshed.cookie } })
    const next = await signInWithCode(root, 2)
    expectRefusal(await makeKey(next.token, {}, { [sudoHeader]: proof }), 403, 'SUDO_MODE_REQUIRED')
  })

  it('proves itself by a passkey too', async () => {
    const root = await administrator(guildhall, '*')
    const { token } = await signInToConsole(guildhall, root)
    const authenticator = await enrol(guildhall, root, authenticatorAt(guildhall))
    const path = '/v1/users/@me/sudo/webauthn/authentication-options'
    const options = await requestOptions(guildhall, path, { token })
    const answer = authenticator.get(options)
    const proof = { mfa_method: 'webauthn', webauthn_response: answer, webauthn_challenge: options.challenge }
    expect((await makeKey(token, proof)).status).toBeLessThan(300)
  })

  it('may do nothing else with the account', async () => {
    const { token } = await signInToConsole(guildhall, await administrator(guildhall, '*'))
    for (const [method, path] of [
      ['GET', '/v1/auth/sessions'],
      ['GET', '/v1/users/@me/guilds'],
      ['GET', '/v1/users/@me/mfa/webauthn/credentials'],
    ] as const)
      expect((await request(method, path, { token })).status).toBe(403)
  })
})

describe('an instance that is not set up yet', async () => {
  const fresh = await openServer({ policy: { setup: { configured: false } } })

  it('is set up by whoever is signed in to the console, who then holds every ACL', async () => {
    const first = await fresh.register()
    const { token } = await signInToConsole(fresh, first)
    const body = { app_public: { setup: { configured: true } } }
    const done = await fresh.request('PATCH', '/v1/admin/instance/config', { token, body })
    expect(done.status).toBeLessThan(300)
    const me = await fresh.request('GET', '/v1/admin/users/@me', { token })
    expect(me.body).toMatchObject({ user: { acls: ['*'] } })
  })
})
