import { describe, expect, it } from 'vitest'
import { field } from '../../../domain/kernel/refusal.ts'
import { administrator } from '../../support/administrators.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'

type Entry = Readonly<Record<string, unknown>>

const logs = async (query = ''): Promise<{ readonly logs: readonly Entry[]; readonly total: number }> =>
  bodyOf(await guildhall.request('GET', `/v1/admin/audit-logs${query}`, { token: root.token })) as never
const actions = async (query: string) => (await logs(query)).logs.map(({ action }) => action)
const of = (admin: TestAccount) => `?admin_user_id=${admin.id}`

const guildhall = await openServer({})
const root = await administrator(guildhall, '*')
const other = await administrator(guildhall, '*')
const bob = await guildhall.register()
const { request } = guildhall
const { token } = other
const headers = { 'x-audit-log-reason': 'joined the 100% _team_' }
await request('PUT', `/v1/admin/users/${bob.id}/acls`, { token, headers, body: { acls: ['user:lookup'] } })
await request('POST', '/v1/admin/api-keys', { token, body: { name: 'Backup', acls: [] } })
await request('GET', '/v1/admin/acls', { token })

describe('List Admin audit log entries', () => {
  it('gives the newest first, with who acted, what on, and why', async () => {
    const { logs: entries, total } = await logs(of(other))
    expect(total).toBe(3)
    expect(entries.map(({ action }) => action)).toEqual(['list_admin_acls', 'create_admin_api_key', 'set_acls'])
    const summary = (username: unknown) => ({
      username,
      discriminator: expect.stringMatching(/^\d{4}$/),
      global_name: null,
    })
    expect(entries.at(-1)).toMatchObject({
      log_id: expect.stringMatching(/^\d+$/),
      admin_user_id: other.id,
      admin_user: { id: other.id, ...summary(expect.any(String)) },
      target_type: 'user',
      target_id: bob.id,
      target_user: { id: bob.id },
      target_guild: null,
      target_channel: null,
      access: 'write',
      audit_log_reason: 'joined the 100% _team_',
      metadata: { acls: 'user:lookup' },
      created_at: expect.stringMatching(/Z$/),
    })
  })
  it('repeats the objects of the page on each of its entries', async () => {
    const { logs: entries } = await logs(of(other))
    for (const { related_users: users, related_guilds: guilds } of entries) {
      expect(Object.keys(users as object).toSorted()).toEqual([other.id, bob.id].toSorted())
      expect(guilds).toEqual({})
    }
  })
  it('is filtered by administrator, target and access, which must all match', async () => {
    expect(await actions(`?target_type=user&target_id=${bob.id}`)).toEqual(['set_acls'])
    expect(await actions(`${of(other)}&target_type=admin_api_key`)).toEqual(['create_admin_api_key'])
    expect(await actions(`${of(other)}&access=read`)).toEqual(['list_admin_acls'])
    expect(await actions(`${of(other)}&access=write`)).toEqual(['create_admin_api_key', 'set_acls'])
    expect(await logs(`${of(bob)}`)).toEqual({ logs: [], total: 0 })
  })
  it('is filtered by action and time, and continued before an entry', async () => {
    expect(await actions(`${of(other)}&action=set_acls`)).toEqual(['set_acls'])
    expect(await actions(`${of(other)}&action=set`)).toEqual([])
    const { logs: all } = await logs(of(other))
    const [newest, , oldest] = all.map(({ created_at: at }) => encodeURIComponent(String(at)))
    expect(await actions(`${of(other)}&until=${oldest}`)).toEqual([])
    expect(await actions(`${of(other)}&until=${newest}&since=${oldest}`)).toContain('set_acls')
    expect(await actions(`${of(other)}&since=${newest}`)).toContain('list_admin_acls')
    expect(await actions(`${of(other)}&since=2999-01-01T00:00:00Z`)).toEqual([])
    expect(await logs(`${of(other)}&before=${String(all[1]?.['log_id'])}`)).toMatchObject({
      logs: [{ action: 'set_acls' }],
      total: 1,
    })
  })
  it('comes in pages, and says how many there are in all', async () => {
    const page = await logs(`${of(other)}&limit=1&offset=1`)
    expect([page.logs.map(({ action }) => action), page.total]).toEqual([['create_admin_api_key'], 3])
    expect(await logs(`${of(other)}&offset=100`)).toEqual({ logs: [], total: 3 })
  })
  it('is searched by words, in any case, which stand for themselves', async () => {
    expect(await actions(`${of(other)}&q=ACLS`)).toEqual(['list_admin_acls', 'set_acls'])
    expect(await actions(`${of(other)}&q=backup%20create`)).toEqual(['create_admin_api_key'])
    expect(await actions(`${of(other)}&q=100%25%20_team_`)).toEqual(['set_acls'])
    expect(await actions(`${of(other)}&q=s_t`)).toEqual([])
    expect(await actions(`${of(other)}&q=${bob.id}`)).toEqual(['set_acls'])
    // The reason goes with the account that the act was on, the action stays.
    expect(await logs(`${of(other)}&q=Joined%20user:lookup%20set_acls`)).toMatchObject({ total: 1 })
    expect(await actions(`${of(other)}&q=joined%20backup`)).toEqual([])
  })
  it('has another order only with q', async () => {
    expect(await actions(`${of(other)}&sort_order=asc`)).toEqual([
      'list_admin_acls',
      'create_admin_api_key',
      'set_acls',
    ])
    expect(await actions(`${of(other)}&q=acls&sort_order=asc`)).toEqual(['set_acls', 'list_admin_acls'])
    expect(await actions(`${of(other)}&q=set_acls&sort_by=relevance`)).toEqual(['set_acls'])
    expect(await actions(`${of(other)}&q=list_admin_acls&sort_by=relevance`)).toEqual(['list_admin_acls'])
  })
  it.each([
    ['limit=0', 'limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
    ['limit=201', 'limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
    ['offset=-1', 'offset', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
    ['q=', 'q', 'STRING_LENGTH_INVALID'],
    [`q=${'x'.repeat(1025)}`, 'q', 'STRING_LENGTH_INVALID'],
    [`target_type=${'x'.repeat(65)}`, 'target_type', 'STRING_LENGTH_INVALID'],
    ['admin_user_id=x', 'admin_user_id', 'INVALID_SNOWFLAKE_FORMAT'],
    ['before=x', 'before', 'INVALID_SNOWFLAKE_FORMAT'],
    ['since=yesterday', 'since', 'INVALID_ISO_TIMESTAMP'],
    ['action=', 'action', 'STRING_LENGTH_INVALID'],
  ] as const)('refuses %s', async (query, path, code) => {
    const answer = await guildhall.request('GET', `/v1/admin/audit-logs?${query}`, { token: root.token })
    expectFields(answer, field(path, code))
  })
  it.each(['access=all', 'sort_by=id', 'sort_order=up', 'since=2030-01-02T00:00:00Z&until=2030-01-01T00:00:00Z'])(
    'refuses %s',
    async (query) => {
      const answer = await guildhall.request('GET', `/v1/admin/audit-logs?${query}`, { token: root.token })
      expectRefusal(answer, 400, 'INVALID_FORM_BODY')
    },
  )
  it('is itself recorded, without what was searched for', async () => {
    await logs('?q=secret&limit=2')
    const [entry] = (await logs(of(root))).logs
    expect(entry).toMatchObject({
      action: 'list_audit_logs',
      access: 'read',
      metadata: { has_query: 'true', limit: '2' },
    })
    expect(JSON.stringify(entry)).not.toContain('secret')
  })
})

describe('Get Admin audit log entry', () => {
  it('returns the entry as the list has it, without the objects of the page', async () => {
    const [listed] = (await logs(`?target_id=${bob.id}`)).logs
    const path = `/v1/admin/audit-logs/${String(listed?.['log_id'])}`
    expect(bodyOf(await guildhall.request('GET', path, { token: root.token }))).toEqual(listed)
  })
  it('is 404 NOT_FOUND for an id that no entry has', async () => {
    const answer = await guildhall.request('GET', '/v1/admin/audit-logs/1', { token: root.token })
    expectRefusal(answer, 404, 'NOT_FOUND')
  })
})

describe('Check Admin audit log', () => {
  const check = (query: string) =>
    guildhall.request('GET', `/v1/admin/audit-logs/verification${query}`, { token: root.token })

  it('checks the entries in parts, each from where the one before it ended', async () => {
    const first = bodyOf(await check('?limit=2'))
    expect(first).toMatchObject({ checked_count: 2, fault: null, next_cursor: expect.any(Number) })
    const rest = bodyOf(await check(`?cursor=${String(first['next_cursor'])}`))
    expect(rest).toMatchObject({ fault: null, next_cursor: null, newest_hash: expect.stringMatching(/^[\da-f]{64}$/) })
    const all = bodyOf(await check(''))
    // The second check has left an entry of its own.
    expect(all['checked_count']).toBe(2 + Number(rest['checked_count']) + 1)
  })
  it('is recorded with what it found', async () => {
    await check('?limit=1')
    const { logs: entries } = await logs('?action=check_audit_logs&limit=1')
    expect(entries).toMatchObject([{ access: 'read', metadata: { checked_count: '1', fault: 'none' } }])
  })
  it('is 404 NOT_FOUND for a cursor that no entry has', async () => {
    expectRefusal(await check('?cursor=1000000'), 404, 'NOT_FOUND')
  })
})
