import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { accountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { streamName } from '../../domain/streams.ts'
import { bodyOf, crowd, expectRefusal } from '../operations/support/answers.ts'
import { adminKeyOf, administrator, auditEntries, giveAcls } from '../support/administrators.ts'
import { openServer } from '../operations/support/scene.ts'
import type { TestAccount } from '../support/test-guildhall.ts'

const guildhall = await openServer()
const root = await administrator(guildhall, '*')

const record = async (id: string) => guildhall.ports.queries.accounts.find(accountId(snowflake(id)))
/** The position of the last event that changed the ACLs of an account. */
async function lastChangeOfAcls(id: string): Promise<number> {
  let last = -1
  for await (const page of guildhall.store.events.readStream(streamName('account', accountId(snowflake(id))), -1))
    for (const { type, position } of page) if (type === 'AclsSet') last = Number(position)
  expect(last).toBeGreaterThan(-1)
  return last
}
const setAcls = (token: string, id: string, body: unknown) =>
  guildhall.request('PUT', `/v1/admin/users/${id}/acls`, { token, body })

describe('an Admin key, and tokens of other kinds', () => {
  it('a key is no session, bot token or bearer token, and no session or sudo proof is a key', async () => {
    const key = (await adminKeyOf(guildhall, root, '*')).slice('Admin '.length)
    for (const token of [key, `Bot ${key}`, `Bearer ${key}`, `Admin ${root.token}`, `Admin Admin ${key}`])
      expectRefusal(await guildhall.request('GET', '/v1/admin/users/@me', { token }), 401, 'UNAUTHORIZED')
    for (const path of ['/v1/users/@me', '/v1/users/@me/guilds', '/v1/auth/sessions'])
      expectRefusal(await guildhall.request('GET', path, { token: `Admin ${key}` }), 401, 'UNAUTHORIZED')
  })
  it('a key in the URL or the body has no effect', async () => {
    const key = (await adminKeyOf(guildhall, root, '*')).slice('Admin '.length)
    const query = `?token=${key}&access_token=${key}&key=${key}`
    expectRefusal(await guildhall.request('GET', `/v1/admin/users/@me${query}`), 401, 'UNAUTHORIZED')
    const body = { key, token: key, acls: [] }
    expectRefusal(await guildhall.request('PUT', `/v1/admin/users/${root.id}/acls`, { body }), 401, 'UNAUTHORIZED')
  })
  it('a session token behind Bearer is still a session', async () => {
    expect(
      bodyOf(await guildhall.request('GET', '/v1/admin/users/@me', { token: `Bearer ${root.token}` })),
    ).toMatchObject({
      user: { id: root.id },
    })
  })
})

describe('members that nobody may set', () => {
  const privileged = { acls: ['*'], flags: '1', traits: ['x'], is_staff: true, bot: true, premium_type: 2, id: '1' }

  it('are ignored when an account registers or changes itself', async () => {
    const unique = randomBytes(6).toString('hex')
    const identity = { email: `${unique}@example.com`, username: `u_${unique}`, password: `pass ${unique}` }
    const birth = { date_of_birth: '1990-12-10', consent: true }
    const answer = await guildhall.request('POST', '/v1/auth/register', {
      body: { ...identity, ...birth, ...privileged },
    })
    const { token, user_id: id } = bodyOf(answer)
    bodyOf(
      await guildhall.request('PATCH', '/v1/users/@me', { token: String(token), body: { ...privileged, bio: 'x' } }),
    )
    expect(await record(String(id))).toMatchObject({ acls: [], flags: '0', bot: false })
  })
  it('are not read from `__proto__` or `constructor` of an admin body', async () => {
    const { id } = await guildhall.register()
    const hidden = '{"__proto__":{"acls":["*"]},"constructor":{"prototype":{"acls":["*"]}}}'
    expectRefusal(await setAcls(root.token, id, hidden), 400, 'INVALID_FORM_BODY')
    const beside = '{"acls":[],"__proto__":{"acls":["*"]},"bot":true,"flags":"1"}'
    bodyOf(await setAcls(root.token, id, beside))
    expect(await record(id)).toMatchObject({ acls: [], bot: false, flags: '0' })
    expect(Object.prototype).not.toHaveProperty('acls')
  })
  it('are not set on a key: the server sets owner, id and hash', async () => {
    const victim = await guildhall.register()
    const forged = { created_by_user_id: victim.id, account_id: victim.id, key_id: '5', key: 'mine', key_hash: 'x' }
    const made = bodyOf(
      await guildhall.request('POST', '/v1/admin/api-keys', {
        token: root.token,
        body: { name: 'Key', acls: [], ...forged },
      }),
    )
    expect(made['key_id']).not.toBe('5')
    const path = `/v1/admin/api-keys/${String(made['key_id'])}`
    bodyOf(await guildhall.request('PATCH', path, { token: root.token, body: { ...forged, expires_at: null } }))
    expect(bodyOf(await guildhall.request('GET', path, { token: root.token }))['created_by_user_id']).toBe(root.id)
  })
})

describe('administrators who try to raise their own rights', () => {
  it('cannot do it by their own ACLs, another account’s, or a key', async () => {
    const lesser = await administrator(guildhall, 'admin:authenticate', 'acl:set:user', 'admin_api_key:manage')
    const accomplice = await guildhall.register()
    expectRefusal(await setAcls(lesser.token, lesser.id, { acls: ['*'] }), 403, 'ACCESS_DENIED')
    expectRefusal(await setAcls(lesser.token, accomplice.id, { acls: ['*'] }), 403, 'MISSING_ACL')
    const wish = { name: 'Key', acls: ['*'] }
    const made = await guildhall.request('POST', '/v1/admin/api-keys', { token: lesser.token, body: wish })
    expectRefusal(made, 403, 'MISSING_ACL')
    const key = await adminKeyOf(guildhall, lesser, 'acl:set:user')
    expectRefusal(await setAcls(key, accomplice.id, { acls: ['admin_api_key:manage'] }), 403, 'MISSING_ACL')
    expect((await record(accomplice.id))?.acls).toEqual([])
  })
  it('cannot do it by a key that was created while they held more', async () => {
    const was = await administrator(guildhall, '*')
    const key = await adminKeyOf(guildhall, was, '*')
    const accomplice = await guildhall.register()
    await giveAcls(guildhall, was, ['admin:authenticate', 'acl:set:user'])
    expectRefusal(await setAcls(key, accomplice.id, { acls: ['*'] }), 403, 'MISSING_ACL')
    await giveAcls(guildhall, was, [])
    expectRefusal(await setAcls(key, accomplice.id, { acls: [] }), 403, 'MISSING_PERMISSIONS')
  })
  it('cannot do it together: of two grants at the same moment the second is refused what the first gave', async () => {
    const grants = [['user:lookup'], ['user:list:sessions']] as const
    const granters = await Promise.all(
      grants.map((acls) => administrator(guildhall, 'admin:authenticate', 'acl:set:user', ...acls)),
    )
    for (const target of await crowd(guildhall, 6)) {
      const grant = ({ token }: TestAccount, index: number) => setAcls(token, target.id, { acls: grants[index] })
      const answers = await Promise.all(granters.map(grant))
      expect(new Set(answers.map(({ status }) => status))).toStrictEqual(new Set([200, 403]))
      expect(grants).toContainEqual((await record(target.id))?.acls)
    }
  })
  it('cannot do it while they lose an ACL: nothing is granted after the loss', async () => {
    for (const target of await crowd(guildhall, 6)) {
      const granter = await administrator(guildhall, 'admin:authenticate', 'acl:set:user', 'user:lookup')
      const [granted, narrowed] = await Promise.all([
        setAcls(granter.token, target.id, { acls: ['user:lookup'] }),
        setAcls(root.token, granter.id, { acls: ['admin:authenticate', 'acl:set:user'] }),
      ])
      expect(narrowed.status).toBe(200)
      if (granted.status === 403) expect((await record(target.id))?.acls).toEqual([])
      else expect(await lastChangeOfAcls(target.id)).toBeLessThan(await lastChangeOfAcls(granter.id))
    }
  })
  it('leave no log entry for refused attempts', async () => {
    const lesser = await administrator(guildhall, 'admin:authenticate', 'acl:set:user')
    const before = await auditEntries(guildhall)
    await setAcls(lesser.token, lesser.id, { acls: ['*'] })
    await setAcls(lesser.token, root.id, { acls: ['*'] })
    await setAcls(lesser.token, '1', { acls: [] })
    expect(await auditEntries(guildhall)).toHaveLength(before.length)
  })
})

describe('other sites', () => {
  const origin = { origin: 'https://evil.example' }

  it('read nothing of administration, and cannot send anything with a credential', async () => {
    for (const path of [
      '/v1/admin/users/@me',
      '/v1/admin/audit-logs',
      '/v1/openapi.admin.json',
      '/v1/events.json',
      '/docs',
    ]) {
      const { headers } = await guildhall.request('GET', path, { token: root.token, headers: origin })
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
      expect(headers.get('set-cookie')).toBeNull()
    }
    const preflight = {
      ...origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'authorization',
    }
    const answer = await guildhall.request('OPTIONS', '/v1/admin/users/@me', { headers: preflight })
    expectRefusal(answer, 404, 'NOT_FOUND')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })
  it('cannot put a page into a frame, or a script into a page', async () => {
    const { headers } = await guildhall.request('GET', '/docs?of=admin')
    expect(headers.get('x-frame-options')).toBe('DENY')
    const policy = headers.get('content-security-policy') ?? ''
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "script-src 'self'", "form-action 'none'"])
      expect(policy).toContain(rule)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
  it('a cookie is never a credential, wherever it comes from', async () => {
    const headers = { ...origin, cookie: `authorization=${root.token}; token=${root.token}; session=${root.token}` }
    expectRefusal(await guildhall.request('GET', '/v1/admin/users/@me', { headers }), 401, 'UNAUTHORIZED')
  })
  it('a websocket from another site is refused before it may send anything', async () => {
    const headers = { ...origin, cookie: `token=${root.token}`, authorization: root.token }
    const socket = new WebSocket(`${guildhall.url.replace('http', 'ws')}/gateway?v=1&encoding=json`, { headers })
    const [, { statusCode }] = (await once(socket, 'unexpected-response')) as [unknown, { readonly statusCode: number }]
    expect(statusCode).toBe(403)
    // Its answer may not have ended yet: then ending it is an error of its own.
    socket.on('error', () => undefined)
    socket.terminate()
  })
  it('a websocket without a site has no identity until it sends a token itself', async () => {
    const headers = { cookie: `token=${root.token}`, authorization: root.token }
    const socket = new WebSocket(`${guildhall.url.replace('http', 'ws')}/gateway?v=1&encoding=json`, { headers })
    const [first]: readonly unknown[] = await once(socket, 'message')
    expect(JSON.parse(String(first))).toMatchObject({ op: 10 })
    socket.send(JSON.stringify({ op: 2, d: {} }))
    const [code]: readonly unknown[] = await once(socket, 'close')
    expect([4002, 4004]).toContain(code)
  })
})
