import { beforeEach, describe, expect, it } from 'vitest'
import type { AdminAcl } from '../../../../domain/admin/acls.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { adminKeyOf, administrator, giveAcls } from '../../../support/administrators.ts'
import type { TestAccount, TestAnswer } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { newApplication } from '../../support/applications.ts'
import { openServer } from '../../support/scene.ts'
import { correctionsOn, unknownUser } from './support.ts'

/** Create password reset link, Delete recovery kit. */

const guildhall = await openServer('usernames')
const { root, ask, lastEntry, entryCount } = await correctionsOn(guildhall)
const byEmail = await openServer()
const elsewhere = await correctionsOn(byEmail)
const newPassword = 'a new password'
const invalid = field('token', 'INVALID_OR_EXPIRED_RESET_TOKEN')

let ada: TestAccount
let username: string
beforeEach(async () => {
  ada = await guildhall.register()
  username = String(bodyOf(await guildhall.request('GET', '/v1/users/@me', { token: ada.token }))['username'])
})

const post = (path: string, body: unknown) => guildhall.request('POST', `/v1/auth/${path}`, { body })
const link = (token?: string, id = ada.id) => ask('POST', id, 'password-reset-link', undefined, token)
const tokenOf = (made: TestAnswer): string => {
  const { url } = bodyOf(made)
  return /^http:\/\/[^/]+\/reset#token=(?<token>[A-Za-z0-9]{64})$/.exec(String(url))?.groups?.['token'] ?? ''
}
const reset = (token: string) => post('reset', { token, password: newPassword })
const isValid = async (token: string) => bodyOf(await guildhall.request('GET', `/v1/auth/reset/${token}`))['valid']
const kit = (method: string, body?: object) =>
  guildhall.request(method, '/v1/users/@me/recovery-kit', { token: ada.token, ...(body && { body }) })
const newKit = async () => String(bodyOf(await kit('POST', { password: ada.password }))['recovery_key'])
const recover = (key: string) => post('recovery-kit', { username, recovery_key: key, password: newPassword })
const wrongKey = [field('username', 'INVALID_CODE'), field('recovery_key', 'INVALID_CODE')] as const
const lesser = (...acls: readonly AdminAcl[]) =>
  administrator(
    guildhall,
    'admin:authenticate',
    'admin_api_key:manage',
    'user:create:password_reset_link',
    'user:delete:recovery_kit',
    ...acls,
  )

describe.each([
  ['Create password reset link', 'POST', 'password-reset-link'],
  ['Delete recovery kit', 'DELETE', 'recovery-kit'],
])('%s', (_name, method, resource) => {
  const by = (token: string, id = ada.id) => ask(method, id, resource, undefined, token)

  it('refuses a path without an id, an instance with addresses, and an unknown account before anything of it', async () => {
    const before = [await entryCount(), await elsewhere.entryCount()]
    expectFields(await ask(method, 'x', resource), field('user_id', 'INVALID_SNOWFLAKE_FORMAT'))
    expectRefusal(await by((await lesser()).token, unknownUser), 404, 'UNKNOWN_USER')
    expectRefusal(await elsewhere.ask(method, unknownUser, resource), 400, 'USERNAME_SIGN_IN_ONLY')
    const bob = await byEmail.register()
    expectRefusal(await elsewhere.ask(method, bob.id, resource), 400, 'USERNAME_SIGN_IN_ONLY')
    expect([await entryCount(), await elsewhere.entryCount()]).toStrictEqual(before)
  })
  it('needs every ACL that the account holds, on the key and on its owner', async () => {
    await giveAcls(guildhall, ada, ['admin:authenticate', 'user:lookup'])
    const [poor, rich] = [await lesser(), await lesser('user:lookup')]
    expectRefusal(await by(poor.token), 403, 'MISSING_ACL')
    const operationsOwn = resource === 'recovery-kit' ? 'user:delete:recovery_kit' : 'user:create:password_reset_link'
    expectRefusal(await by(await adminKeyOf(guildhall, rich, operationsOwn, 'admin:authenticate')), 403, 'MISSING_ACL')
    expect((await by(rich.token)).status).toBeLessThan(300)
    await giveAcls(guildhall, ada, ['*'])
    expectRefusal(await by(rich.token), 403, 'MISSING_ACL')
    expect((await by(root.token)).status).toBeLessThan(300)
  })
})

describe('Create password reset link', () => {
  it('gives a link that chooses a new password once, within an hour', async () => {
    const before = Date.now()
    const made = await link()
    expect(made.headers.get('cache-control')).toContain('no-store')
    expect(Object.keys(bodyOf(made)).toSorted()).toStrictEqual(['expires_at', 'url'])
    const lifetime_ms = Date.parse(String(bodyOf(made)['expires_at'])) - before
    expect(Math.abs(lifetime_ms - 3_600_000)).toBeLessThan(30_000)
    const token = tokenOf(made)
    expect(await isValid(token)).toBe(true)
    expect(bodyOf(await reset(token))).toMatchObject({ user_id: ada.id })
    expectFields(await reset(token), invalid)
    expectRefusal(await guildhall.request('GET', '/v1/users/@me', { token: ada.token }), 401, 'UNAUTHORIZED')
    expect((await post('login', { username, password: newPassword })).status).toBe(200)
  })
  it('takes the place of every earlier link and of the recovery kit', async () => {
    const key = await newKit()
    const first = tokenOf(await link())
    expectFields(await recover(key), ...wrongKey)
    expect(bodyOf(await kit('GET'))).toStrictEqual({ created_at: null })
    const second = tokenOf(await link())
    expect([await isValid(first), await isValid(second)]).toStrictEqual([false, true])
  })
  it('is recorded without the link', async () => {
    const token = tokenOf(await link())
    const entry = await lastEntry()
    expect(entry).toMatchObject({
      action: 'create_password_reset_link',
      targetType: 'user',
      targetId: ada.id,
      metadata: {},
    })
    expect(JSON.stringify(entry)).not.toContain(token)
  })
  it('refuses a bot, before its ACLs are looked at', async () => {
    const application = await newApplication(guildhall, ada)
    expectRefusal(await link(root.token, application.id), 403, 'BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED')
  })
  it('gives a link that ends with a new password', async () => {
    const token = tokenOf(await link())
    const body = { password: ada.password, new_password: newPassword }
    bodyOf(await guildhall.request('PATCH', '/v1/users/@me', { token: ada.token, body }))
    expect(await isValid(token)).toBe(false)
  })
  it('gives a link that dies where the account gains an ACL, for good', async () => {
    const token = tokenOf(await link((await lesser()).token))
    await giveAcls(guildhall, ada, ['user:lookup'])
    expect(await isValid(token)).toBe(false)
    expectFields(await reset(token), invalid)
    await giveAcls(guildhall, ada, [])
    expect(await isValid(token)).toBe(false)
    expectFields(await reset(token), invalid)
  })
  it('gives a link that outlives the loss of an ACL', async () => {
    await giveAcls(guildhall, ada, ['user:lookup', 'admin:authenticate'])
    const token = tokenOf(await link())
    await giveAcls(guildhall, ada, ['user:lookup'])
    expect(await isValid(token)).toBe(true)
  })
  it('gives no link that is good for an account of more ACLs, whatever comes at the same moment', async () => {
    const poor = await lesser()
    for (let times = 1; times <= 8; times += 1) {
      const target = await guildhall.register()
      const grant = guildhall.request('PUT', `/v1/admin/users/${target.id}/acls`, {
        token: root.token,
        body: { acls: ['user:delete'] },
      })
      const [granted, made] = await Promise.all([grant, link(poor.token, target.id)])
      expect(granted.status).toBe(200)
      if (made.status === 200) expect(await isValid(tokenOf(made))).toBe(false)
      else expectRefusal(made, 403, 'MISSING_ACL')
    }
  })
})

describe('Delete recovery kit', () => {
  const remove = () => ask('DELETE', ada.id, 'recovery-kit')

  it('ends the key, and leaves password and sessions as they are', async () => {
    const key = await newKit()
    expect(await remove()).toMatchObject({ status: 204, body: undefined })
    expectFields(await recover(key), ...wrongKey)
    expect(bodyOf(await kit('GET'))).toStrictEqual({ created_at: null })
    expect((await post('login', { username, password: ada.password })).status).toBe(200)
  })
  it('succeeds without a kit, and is recorded each time', async () => {
    const before = await entryCount()
    for (let times = 1; times <= 2; times += 1) expect((await remove()).status).toBe(204)
    expect(await entryCount()).toBe(before + 2)
    expect(await lastEntry()).toMatchObject({
      action: 'revoke_recovery_kit',
      targetType: 'user',
      targetId: ada.id,
      metadata: {},
    })
  })
})
