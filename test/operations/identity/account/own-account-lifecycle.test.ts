import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { Client } from '../../../gateway/support/client.ts'
import { backupCode, protect, sudoProofOf } from '../../../support/authenticator.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { codeIn } from '../../support/emailed-codes.ts'
import { foundWith, openServer } from '../../support/scene.ts'

let ada: TestAccount

const guildhall = await openServer()
beforeEach(async () => {
  ada = await guildhall.register()
})

const me = (token: string) => guildhall.request('GET', '/v1/users/@me', { token })
const post = ({ token }: Pick<TestAccount, 'token'>, path: string, body?: object) =>
  guildhall.request('POST', `/v1/users/@me/${path}`, { token, ...(body ? { body } : {}) })
const login = ({ email, password }: TestAccount) =>
  guildhall.request('POST', '/v1/auth/login', { body: { email, password } })

describe('Disable current user', () => {
  it('ends every session; signing in enables the account again', async () => {
    const other = String(bodyOf(await login(ada))['token'])
    expectRefusal(await post(ada, 'disable'), 403, 'SUDO_MODE_REQUIRED')
    const disabled = await post(ada, 'disable', { password: ada.password })
    expect(disabled).toMatchObject({ status: 204, body: undefined })
    for (const token of [ada.token, other]) expectRefusal(await me(token), 401, 'UNAUTHORIZED')
    const again = String(bodyOf(await login(ada))['token'])
    expect((await me(again)).status).toBe(200)
  })

  it('returns no sudo proof, however it was proved', async () => {
    const grace = await protect(guildhall, await guildhall.register())
    const disabled = await post(grace, 'disable', { mfa_method: 'totp', mfa_code: backupCode(grace, 0) })
    expect(disabled.status).toBe(204)
    expect(sudoProofOf(disabled)).toBeNull()
  })
})

describe('Delete current user', () => {
  it('ends every session, mails the date of the deletion, and is cancelled by signing in', async () => {
    expectRefusal(await post(ada, 'delete'), 403, 'SUDO_MODE_REQUIRED')
    expectFields(await post(ada, 'delete', { password: 'not the one' }), field('password', 'INVALID_PASSWORD'))
    const before_ms = Date.now()
    expect((await post(ada, 'delete', { password: ada.password })).status).toBe(204)
    expectRefusal(await me(ada.token), 401, 'UNAUTHORIZED')
    const due_ms = Date.parse(String(await deletionDueAt(ada)))
    expect(due_ms - before_ms).toBeGreaterThanOrEqual(336 * 3_600_000)
    expect(due_ms - Date.now()).toBeLessThanOrEqual(336 * 3_600_000)
    expect((await guildhall.mailTo(ada.email)).subject).toMatch(/delet/i)
    expect((await login(ada)).status).toBe(200)
    expect(await deletionDueAt(ada)).toBeNull()
  })

  it('is refused to the owner of a guild, and not to a member', async () => {
    const grace = await guildhall.register()
    const guild = await foundWith(guildhall, ada, grace)
    expectRefusal(await post(ada, 'delete', { password: ada.password }), 400, 'USER_OWNS_GUILDS')
    expect((await me(ada.token)).status).toBe(200)
    expect((await post(grace, 'delete', { password: grace.password })).status).toBe(204)
    const body = { password: ada.password }
    await guildhall.request('POST', `/v1/guilds/${guild.id}/delete`, { token: ada.token, body })
    expect((await post(ada, 'delete', body)).status).toBe(204)
  })

  async function deletionDueAt({ id }: TestAccount): Promise<unknown> {
    const { state } = await guildhall.ports.aggregates.account.load(id)
    return state.status === 'registered' ? state.deletion && state.deletion.dueAt : undefined
  }
})

describe('Accept terms', () => {
  it('is recorded with its time, whatever the body says', async () => {
    expect(bodyOf(await me(ada.token))).toMatchObject({ terms_agreed_at: null, privacy_agreed_at: null })
    const accepted = bodyOf(await post(ada, 'terms-acceptance', { version: 7 }))
    expect(accepted).toMatchObject({ terms_agreed_at: expect.any(String), privacy_agreed_at: expect.any(String) })
    expect(bodyOf(await me(ada.token))).toStrictEqual(accepted)
    expect((await post(ada, 'terms-acceptance')).status).toBe(200)
    expectFields(
      await guildhall.request('POST', '/v1/users/@me/terms-acceptance', { token: ada.token, body: '[]' }),
      field('root', 'INVALID_FORMAT'),
    )
  })
})

describe('AUTH_SESSION_CHANGE', () => {
  const newPassword = 'another password'

  async function connected(token: string): Promise<Client> {
    const client = new Client(`${guildhall.url.replace('http', 'ws')}/gateway?v=1`)
    await client.op(10)
    client.send(2, { token, properties: { os: 'linux', browser: 'test', device: 'test' } })
    await client.dispatch('READY')
    return client
  }

  it('sends the new token only to the session that changes the password', async () => {
    const other = String(bodyOf(await login(ada))['token'])
    const [client, otherClient] = [await connected(ada.token), await connected(other)]
    const body = { new_password: newPassword, password: ada.password }
    await guildhall.request('PATCH', '/v1/users/@me', { token: ada.token, body })
    const { d } = await client.dispatch('AUTH_SESSION_CHANGE')
    expect(Object.keys(d).toSorted()).toStrictEqual([
      'new_auth_session_id_hash',
      'new_token',
      'old_auth_session_id_hash',
    ])
    const token = String(d['new_token'])
    expect(bodyOf(await me(token))['id']).toBe(ada.id)
    expectRefusal(await me(ada.token), 401, 'UNAUTHORIZED')
    expect(await otherClient.op(9)).toMatchObject({ d: false })
    expect(JSON.stringify(otherClient.payloads)).not.toContain(token)
    // The connection continues with the new token: it hears events, and the end of the session.
    await guildhall.request('PATCH', '/v1/users/@me', { token, body: { bio: 'Notes' } })
    expect((await client.dispatch('USER_UPDATE')).d).toMatchObject({ bio: 'Notes' })
    await guildhall.request('POST', '/v1/auth/logout', { token })
    await client.op(9)
    for (const { socket } of [client, otherClient]) socket.terminate()
  })

  it('also sends it after a password change by mail', async () => {
    const client = await connected(ada.token)
    const { ticket } = bodyOf(await post(ada, 'password-change/start'))
    const code = codeIn(await guildhall.mailTo(ada.email))
    const { verification_proof } = bodyOf(await post(ada, 'password-change/verify', { ticket, code }))
    const wish = { ticket, verification_proof, new_password: newPassword }
    const { token, auth_session_id_hash: hash } = bodyOf(await post(ada, 'password-change/complete', wish))
    const { d } = await client.dispatch('AUTH_SESSION_CHANGE')
    expect(d).toMatchObject({ new_token: token, new_auth_session_id_hash: hash })
    client.socket.terminate()
  })
})
