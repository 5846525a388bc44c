import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { administrator, auditEntries } from '../../../support/administrators.ts'
import { backupCode, protect, sudoHeader, sudoProofOf } from '../../../support/authenticator.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectRefusal, listOf } from '../../support/answers.ts'
import { newApplication } from '../../support/applications.ts'
import { connections } from '../../support/connected.ts'
import { credentials, enrol, sudoFields } from '../../support/passkeys.ts'
import { openServer } from '../../support/scene.ts'

const guildhall = await openServer()
const root = await administrator(guildhall, '*')
const { connect, end } = connections()
let ada: TestAccount

beforeEach(async () => {
  ada = await guildhall.register()
})
afterEach(end)

const disable = (id: string, token = root.token) => guildhall.request('DELETE', `/v1/admin/users/${id}/mfa`, { token })
const get = async (path: string) => bodyOf(await guildhall.request('GET', path, { token: ada.token }))
const post = (path: string, body: object) => guildhall.request('POST', path, { token: ada.token, body })
const methods = () => get('/v1/users/@me/sudo/mfa-methods')
const login = async () => bodyOf(await guildhall.request('POST', '/v1/auth/login', { body: ada }))
const adminView = async () =>
  bodyOf(await guildhall.request('PUT', `/v1/admin/users/${ada.id}/acls`, { token: root.token, body: { acls: [] } }))[
    'user'
  ]

/** Registers a passkey and chooses passkeys as a second factor. */
async function choosePasskeys(): Promise<Awaited<ReturnType<typeof enrol>>> {
  const held = await enrol(guildhall, ada)
  const body = { enabled: true, ...(await sudoFields(guildhall, ada, held)) }
  const path = '/v1/users/@me/mfa/webauthn/second-factor'
  expect((await guildhall.request('PUT', path, { token: ada.token, body })).status).toBe(204)
  return held
}

describe('Disable user MFA', () => {
  it('takes TOTP and every backup code, so that the password alone signs in', async () => {
    await protect(guildhall, ada)
    expect(await login()).toMatchObject({ mfa: true })
    expect(await disable(ada.id)).toMatchObject({ status: 204, body: undefined })
    expect(await methods()).toStrictEqual({ totp: false, webauthn: false, backup_codes: false, has_mfa: false })
    expect(await get('/v1/users/@me')).toMatchObject({ mfa_enabled: false })
    expect(await adminView()).toMatchObject({ has_totp: false, authenticator_types: [] })
    expect(await login()).toMatchObject({ token: expect.any(String) })
  })

  it('takes the choice of passkeys and the backup codes, and leaves the passkeys for sudo mode', async () => {
    const held = await choosePasskeys()
    const proof = await sudoFields(guildhall, ada, held)
    bodyOf(await post('/v1/users/@me/mfa/backup-codes', { regenerate: true, ...proof }))
    expect((await disable(ada.id)).status).toBe(204)
    expect(await methods()).toStrictEqual({ totp: false, webauthn: true, backup_codes: false, has_mfa: true })
    expect(await get('/v1/users/@me')).toMatchObject({ mfa_enabled: false })
    expect(await adminView()).toMatchObject({ has_totp: false, authenticator_types: [] })
    expect(listOf(await guildhall.request('GET', credentials, { token: ada.token }))).toHaveLength(1)
    expect(await login()).toMatchObject({ token: expect.any(String) })
  })

  it('leaves sessions, and ends what the second factors had proved', async () => {
    const safe = await protect(guildhall, ada)
    const { ticket } = await login()
    const first = { mfa_method: 'totp', mfa_code: backupCode(safe, 0) }
    const proof = sudoProofOf(await post('/v1/users/@me/mfa/backup-codes', { regenerate: false, ...first }))
    expect((await disable(ada.id)).status).toBe(204)
    expect((await guildhall.request('GET', '/v1/users/@me', { token: ada.token })).status).toBe(200)
    const late = { ticket, code: backupCode(safe, 1) }
    expectRefusal(await guildhall.request('POST', '/v1/auth/login/mfa/totp', { body: late }), 400, 'INVALID_FORM_BODY')
    const again = await guildhall.request('POST', '/v1/users/@me/mfa/backup-codes', {
      token: ada.token,
      headers: { [sudoHeader]: String(proof) },
      body: { regenerate: false },
    })
    expectRefusal(again, 403, 'SUDO_MODE_REQUIRED')
  })

  it('is told to the account, and to the bots of its applications, which share its second factors', async () => {
    await protect(guildhall, ada)
    const engine = await newApplication(guildhall, ada)
    const own = await connect(guildhall, ada)
    const bot = await connect(guildhall, { token: engine.botToken }, { intents: 0 })
    expect((await disable(ada.id)).status).toBe(204)
    expect((await own.client.dispatch('USER_UPDATE')).d).toMatchObject({ id: ada.id, mfa_enabled: false })
    expect((await own.client.dispatch('AUTH_SECURITY_NOTICE')).d).toMatchObject({ kind: 'totp_disabled' })
    expect((await bot.client.dispatch('USER_UPDATE')).d).toMatchObject({ id: engine.id, mfa_enabled: false })
  })

  it('is recorded once without metadata, also where there was nothing to disable', async () => {
    for (let times = 0; times < 2; times += 1) expect((await disable(ada.id)).status).toBe(204)
    const entries = (await auditEntries(guildhall)).filter(({ targetId }) => targetId === ada.id)
    const entry = { action: 'disable_mfa', adminId: root.id, targetType: 'user', metadata: {} }
    expect(entries).toMatchObject([entry, entry])
  })

  it('refuses an account that does not exist, and an id that is none', async () => {
    expectRefusal(await disable('1'), 404, 'UNKNOWN_USER')
    expectRefusal(await disable('ada'), 400, 'INVALID_FORM_BODY')
  })
})
