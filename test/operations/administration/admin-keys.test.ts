import { describe, expect, it } from 'vitest'
import { adminKeyHash } from '../../../application/administration/keys/admin-key.ts'
import { adminAcls } from '../../../domain/admin/acls.ts'
import { accountId as accountIdOf, adminKeyId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import { adminKeyOf, administrator, auditEntries } from '../../support/administrators.ts'
import { testContext } from '../../support/test-context.ts'
import { bodyOf, expectFields, expectRefusal, listOf } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'

const guildhall = await openServer({})
const root = await administrator(guildhall, '*')

const keys = (method: string, path = '', options: { readonly token?: string; readonly body?: unknown } = {}) =>
  guildhall.request(method, `/v1/admin/api-keys${path}`, { token: root.token, ...options })
const make = async (body: object) => bodyOf(await keys('POST', '', { body: { name: 'Key', acls: [], ...body } }))
const day_ms = 86_400_000

describe('Create Admin key', () => {
  it('shows the key once, and stores only its hash', async () => {
    const made = await make({ name: '  Backup ', acls: ['user:lookup', 'user:lookup'], expires_in_days: 1 })
    expect(made).toMatchObject({ name: 'Backup', acls: ['user:lookup'] })
    expect(made['key']).toMatch(new RegExp(`^gla_${String(made['key_id'])}_[A-Za-z0-9]{32}$`))
    expect(Date.parse(String(made['expires_at'])) - Date.parse(String(made['created_at']))).toBe(day_ms)
    const shown = bodyOf(await keys('GET', `/${String(made['key_id'])}`))
    expect(Object.keys(shown).toSorted()).toEqual([
      'acls',
      'created_at',
      'created_by_user_id',
      'expires_at',
      'key_id',
      'last_used_at',
      'name',
    ])
    expect(shown).toMatchObject({ created_by_user_id: root.id, last_used_at: null })
    const history: unknown[] = []
    for await (const page of guildhall.store.events.readAll(-1n)) history.push(...page.map(({ data }) => data))
    const secret = String(made['key']).split('_')[2] ?? ''
    expect(JSON.stringify(history)).toContain(String(made['key_id']))
    expect(JSON.stringify(history)).not.toContain(secret)
  })
  it.each([
    [{ name: '' }, 'name', 'STRING_LENGTH_INVALID'],
    [{ name: '   ' }, 'name', 'STRING_LENGTH_INVALID'],
    [{ name: 'x'.repeat(101) }, 'name', 'STRING_LENGTH_INVALID'],
    [{ acls: ['user:lookup', 'none'] }, 'acls.1', 'INVALID_FORMAT'],
  ] as const)('refuses %j', async (body, path, code) => {
    expectFields(await keys('POST', '', { body: { name: 'Key', acls: [], ...body } }), field(path, code))
  })
  it.each([{ expires_in_days: 0 }, { expires_in_days: 366 }, { expires_in_days: 1.5 }, { acls: undefined }])(
    'refuses %j',
    async (body) => {
      expectRefusal(await keys('POST', '', { body: { name: 'Key', acls: [], ...body } }), 400, 'INVALID_FORM_BODY')
    },
  )
  it('accepts an empty set, the whole registry, and the bounds of its lifetime', async () => {
    for (const expires_in_days of [1, 365, null]) await make({ expires_in_days })
    expect((await make({ acls: adminAcls }))['acls']).toHaveLength(106)
    expect((await make({ name: 'x'.repeat(100) }))['expires_at']).toBeNull()
  })
  it('refuses an ACL that the acting credential lacks', async () => {
    const lesser = await administrator(guildhall, 'admin:authenticate', 'admin_api_key:manage')
    for (const acl of ['user:lookup', '*']) {
      const body = { name: 'Key', acls: ['admin:authenticate', acl] }
      expectRefusal(await keys('POST', '', { token: lesser.token, body }), 403, 'MISSING_ACL')
    }
    const narrow = await adminKeyOf(guildhall, root, 'admin_api_key:manage')
    const body = { name: 'Key', acls: ['user:lookup'] }
    expectRefusal(await keys('POST', '', { token: narrow, body }), 403, 'MISSING_ACL')
    expect(listOf(await keys('GET', '', { token: lesser.token }))).toEqual([])
  })
  it('makes one key however often the same request is sent', async () => {
    const headers = { 'idempotency-key': 'one key' }
    const send = () =>
      guildhall.request('POST', '/v1/admin/api-keys', { token: root.token, headers, body: { name: 'Once', acls: [] } })
    const [first, second] = [bodyOf(await send()), bodyOf(await send())]
    expect(second).toEqual(first)
    expect(listOf(await keys('GET')).filter(({ name }) => name === 'Once')).toHaveLength(1)
    const entries = (await auditEntries(guildhall)).filter(({ metadata }) => metadata['name'] === 'Once')
    expect(entries).toHaveLength(1)
  })
})

describe('an Admin key', () => {
  it('acts for its creator below /v1/admin, and nowhere else', async () => {
    const key = await adminKeyOf(guildhall, root, 'admin:authenticate')
    expect(bodyOf(await guildhall.request('GET', '/v1/admin/users/@me', { token: key }))).toMatchObject({
      user: { id: root.id },
    })
    expectRefusal(await guildhall.request('GET', '/v1/users/@me', { token: key }), 401, 'UNAUTHORIZED')
  })
  it('is invalid with another secret, another id, another scheme, or once it is deleted', async () => {
    const key = await adminKeyOf(guildhall, root, 'admin:authenticate')
    const [, id = '', secret = ''] = key.split('_')
    const others = [
      `Admin gla_${id}_${secret.slice(1)}${secret.startsWith('a') ? 'b' : 'a'}`,
      `Admin gla_${BigInt(id) + 1n}_${secret}`,
      `Admin gla_99999999999999999999_${secret}`,
      `admin gla_${id}_${secret}`,
      `Bearer gla_${id}_${secret}`,
      `gla_${id}_${secret}`,
      `Admin  gla_${id}_${secret}`,
    ]
    for (const token of others)
      expectRefusal(await guildhall.request('GET', '/v1/admin/users/@me', { token }), 401, 'UNAUTHORIZED')
    expect(bodyOf(await keys('DELETE', `/${id}`))).toEqual({ success: true })
    expectRefusal(await guildhall.request('GET', '/v1/admin/users/@me', { token: key }), 401, 'UNAUTHORIZED')
    expectRefusal(await keys('DELETE', `/${id}`), 404, 'ADMIN_API_KEY_NOT_FOUND')
  })
  it('has its use recorded', async () => {
    const key = await adminKeyOf(guildhall, root, 'admin:authenticate')
    const id = key.split('_')[1] ?? ''
    bodyOf(await guildhall.request('GET', '/v1/admin/users/@me', { token: key }))
    expect(Date.parse(String(bodyOf(await keys('GET', `/${id}`))['last_used_at']))).toBeGreaterThan(0)
  })
  it('is valid until it expires, and is then in no answer', async () => {
    const token = (id: string) => `gla_${id}_${'x'.repeat(32)}`
    const context = testContext()
    for (const [id, seconds] of [
      ['77', 60],
      ['78', -1],
    ] as const) {
      const keyId = adminKeyId(snowflake(id))
      const held = { name: 'Old', acls: ['*'], keyHash: adminKeyHash(token(id)), delegationVersion: 0 }
      const expiresAt = secondsAfter(context.now, seconds)
      const accountId = accountIdOf(snowflake(root.id))
      const command = { type: 'CreateAdminKey', keyId, accountId, ...held, expiresAt, now: context.now } as const
      await guildhall.ports.aggregates.adminKey.execute(id, command, context)
    }
    await guildhall.readModels.reached(context.written)
    const current = (id: string) => guildhall.request('GET', '/v1/admin/users/@me', { token: `Admin ${token(id)}` })
    bodyOf(await current('77'))
    expectRefusal(await current('78'), 401, 'UNAUTHORIZED')
    bodyOf(await keys('GET', '/77'))
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expectRefusal(
        await keys(method, '/78', { body: method === 'PATCH' ? {} : undefined }),
        404,
        'ADMIN_API_KEY_NOT_FOUND',
      )
    const listed = listOf(await keys('GET')).map((each) => each['key_id'])
    expect([listed.includes('77'), listed.includes('78')]).toEqual([true, false])
  })
  it('is invalid while its owner has left', async () => {
    const bob = await administrator(guildhall, '*')
    const key = await adminKeyOf(guildhall, bob, 'admin:authenticate')
    const left = await guildhall.request('POST', '/v1/users/@me/disable', {
      token: bob.token,
      body: { password: bob.password },
    })
    expect(left.status).toBe(204)
    expectRefusal(await guildhall.request('GET', '/v1/admin/users/@me', { token: key }), 401, 'UNAUTHORIZED')
  })
})

describe('Update Admin key', () => {
  it('changes the name, the ACLs, both or nothing', async () => {
    const { key_id: id } = await make({ acls: ['user:lookup'] })
    const change = async (body?: unknown) => bodyOf(await keys('PATCH', `/${String(id)}`, { body }))
    expect(await change({ name: 'New' })).toMatchObject({ name: 'New', acls: ['user:lookup'] })
    expect(await change({ acls: ['user:delete', 'user:delete'] })).toMatchObject({ name: 'New', acls: ['user:delete'] })
    expect(await change({})).toMatchObject({ name: 'New', acls: ['user:delete'] })
    expect(await change()).toMatchObject({ name: 'New', acls: ['user:delete'] })
  })
  it('looks for the key before it checks what is granted, and finds only the caller’s own', async () => {
    const { key_id: id } = await make({})
    const other = await administrator(guildhall, 'admin:authenticate', 'admin_api_key:manage')
    const patch = (key: unknown, body: unknown) => keys('PATCH', `/${String(key)}`, { token: other.token, body })
    expectRefusal(await patch(id, { acls: ['*'] }), 404, 'ADMIN_API_KEY_NOT_FOUND')
    expectRefusal(await patch(1, { acls: ['*'] }), 404, 'ADMIN_API_KEY_NOT_FOUND')
    for (const method of ['GET', 'DELETE'])
      expectRefusal(await keys(method, `/${String(id)}`, { token: other.token }), 404, 'ADMIN_API_KEY_NOT_FOUND')
    expect(listOf(await keys('GET', '', { token: other.token }))).toEqual([])
    const own = bodyOf(await keys('POST', '', { token: other.token, body: { name: 'Own', acls: [] } }))
    expectRefusal(await patch(own['key_id'], { acls: ['*'] }), 403, 'MISSING_ACL')
    expect(bodyOf(await keys('GET', `/${String(own['key_id'])}`, { token: other.token }))).toMatchObject({ acls: [] })
  })
  it('takes effect for the key at once', async () => {
    const key = await adminKeyOf(guildhall, root, 'admin:authenticate')
    const id = key.split('_')[1] ?? ''
    bodyOf(await keys('PATCH', `/${id}`, { body: { acls: [] } }))
    expectRefusal(await guildhall.request('GET', '/v1/admin/users/@me', { token: key }), 403, 'MISSING_ACL')
  })
})

describe('List Admin ACLs', () => {
  it('gives the registry in its order', async () => {
    const answer = await guildhall.request('GET', '/v1/admin/acls', { token: root.token })
    expect(bodyOf(answer)).toEqual({ acls: adminAcls })
  })
})
