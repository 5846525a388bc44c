import { describe, expect, it } from 'vitest'
import { administrator, auditEntries } from '../../../support/administrators.ts'
import type { TestAnswer } from '../../../support/test-guildhall.ts'
import { accept, bodyOf, expectRefusal, found, invite } from '../../support/answers.ts'
import { openServer } from '../../support/scene.ts'

type Members = Readonly<Record<string, unknown>>

const guildhall = await openServer()
const root = await administrator(guildhall, '*')
const reader = await administrator(guildhall, 'admin:authenticate', 'audit_log:view')
const ada = await guildhall.register()
const home = await found(guildhall, ada)

const explain = (id: string, { token = reader.token, query = '' } = {}) =>
  guildhall.request('GET', `/v1/admin/history/explain/${id}${query}`, { token })
const requestIn = ({ headers }: TestAnswer) => String(headers.get('x-request-id'))
const nodesOf = (explained: Members) => explained['nodes'] as readonly Members[]
const named = (explained: Members, type: string) => nodesOf(explained).find((node) => node['type'] === type)

async function join() {
  const brian = await guildhall.register()
  const code = await invite(guildhall, ada, home.channel)
  return { brian, code, request: requestIn(await accept(guildhall, brian, code)) }
}

describe('Explain history', () => {
  it('gives the chain of a request: each event with its cause, and the read models that take it', async () => {
    const { brian, code, request } = await join()
    const explained = bodyOf(await explain(request))
    const redeemed = named(explained, 'InviteRedeemed')
    const joined = named(explained, 'MemberJoined')
    expect(explained).toMatchObject({
      requests: [
        {
          id: request,
          client_request_id: null,
          operation: 'Accept invite',
          actor: { kind: 'account', id: brian.id },
          at: redeemed?.['at'],
          answer: null,
          audit_log_ids: [],
        },
      ],
      truncated: false,
    })
    expect(redeemed).toMatchObject({ stream: `invite-${code}`, operation: 'Accept invite', finished_by: null })
    expect(joined).toMatchObject({ stream: `membership-${home.id}-${brian.id}`, operation: 'Accept invite' })
    expect(joined?.['read_models']).toEqual(expect.arrayContaining(['history', 'members']))
    expect(joined?.['read_models']).not.toContain('blocklists')
    expect(redeemed?.['dispatches']).toEqual([])
    expect(joined?.['dispatches']).toContain('GUILD_MEMBER_ADD')
    expect(explained['edges']).toEqual(
      nodesOf(explained).map(({ causation_id, event_id }) => ({ from: causation_id, to: event_id })),
    )
    expect(explained['edges']).toContainEqual({ from: redeemed?.['event_id'], to: joined?.['event_id'] })
  })
  it('gives the same chain by any of its events', async () => {
    const { request } = await join()
    const explained = bodyOf(await explain(request))
    expect(nodesOf(explained).length).toBeGreaterThan(1)
    for (const { event_id } of nodesOf(explained)) expect(bodyOf(await explain(String(event_id)))).toEqual(explained)
  })
  it("gives the chain of an administrator's act by its entry in the audit log, which is part of it", async () => {
    const { id } = await guildhall.register()
    const banned = await guildhall.request('PUT', `/v1/admin/users/${id}/ban`, {
      token: root.token,
      body: { duration_hours: 2 },
    })
    const entry = (await auditEntries(guildhall)).find((each) => each.targetId === id)
    const explained = bodyOf(await explain(String(entry?.entryId)))
    expect(explained['requests']).toMatchObject([
      {
        id: requestIn(banned),
        operation: 'Ban user',
        actor: { account_id: root.id },
        answer: 'success',
        status: 200,
        code: null,
        audit_log_ids: [entry?.entryId],
      },
    ])
    const types = nodesOf(explained).map(({ type }) => type)
    expect(types).toContain('AdminActionRecorded')
    expect(nodesOf(explained)).toContainEqual(expect.objectContaining({ stream: `account-${id}` }))
  })
  it('gives all requests to which a client gave the same id, each as a chain of its own', async () => {
    const chosen = `client:${ada.id}/retry`
    const rename = (name: string) =>
      guildhall.request('PATCH', `/v1/guilds/${home.id}`, {
        token: ada.token,
        headers: { 'X-Request-ID': chosen },
        body: { name },
      })
    const answers = [await rename('First'), await rename('Second')]
    expect(answers.map(requestIn)).toEqual([chosen, chosen])
    const explained = bodyOf(await explain(encodeURIComponent(chosen)))
    const requests = explained['requests'] as readonly Members[]
    expect(requests).toMatchObject([
      { client_request_id: chosen, operation: 'Modify guild' },
      { client_request_id: chosen, operation: 'Modify guild' },
    ])
    expect(nodesOf(explained)).toMatchObject(
      requests.map(({ id }) => ({ type: 'GuildModified', correlation_id: id, client_request_id: chosen })),
    )
    const [{ id: first } = { id: '' }] = requests
    expect(bodyOf(await explain(String(first)))['requests']).toEqual(requests.slice(0, 1))
    expect(bodyOf(await explain(encodeURIComponent(`it failed: ${chosen}, at noon`)))).toEqual(explained)
    const found = await bodyList(`/v1/admin/history/events?correlation_id=${encodeURIComponent(chosen)}`)
    expect((found as readonly Members[]).map(({ correlation_id }) => correlation_id)).toEqual(
      requests.map(({ id }) => id).toReversed(),
    )
  })
  it('leaves out what is personal, and reveals it to those who may see it, which is recorded', async () => {
    const account = await guildhall.register()
    const { event_id } = (
      (await bodyList(`/v1/admin/history/streams/account-${account.id}/events?limit=1`)) as readonly [Members]
    )[0]
    const before = (await auditEntries(guildhall)).length
    expect(JSON.stringify(bodyOf(await explain(String(event_id))))).not.toContain(account.email)
    expect((await auditEntries(guildhall)).slice(before)).toEqual([])
    const revealed = await explain(String(event_id), { token: root.token, query: '?reveal=true' })
    expect(JSON.stringify(bodyOf(revealed))).toContain(account.email)
    expect((await auditEntries(guildhall)).slice(before)).toMatchObject([
      { action: 'get_personal_history', targetType: 'history_chain', targetId: event_id },
    ])
  })
  it('tells the address of a sign-in to those who may see it', async () => {
    const { email, password } = await guildhall.register()
    const id = requestIn(await guildhall.request('POST', '/v1/auth/login', { body: { email, password } }))
    expect(bodyOf(await explain(id))['requests']).toMatchObject([{ address: null, left_out: ['address'] }])
    const revealed = bodyOf(await explain(id, { token: root.token, query: '?reveal=true' }))
    const address = ((named(revealed, 'SessionStarted') ?? {})['data'] as Members)['ip']
    expect(address).toMatch(/^[\d.:a-f]+$/)
    expect(revealed['requests']).toMatchObject([{ operation: 'Log in', address, left_out: [] }])
  })
  it('does not find what no event knows, whatever its form', async () => {
    const unknown = ['1', 'nothing', '9223372036854775808', '01890000-0000-7000-8000-000000000000', '%C3%A9']
    for (const id of [...unknown, 'x'.repeat(129)])
      expect([id, await explain(id)]).toMatchObject([id, { status: 404, body: { code: 'NOT_FOUND' } }])
  })
  it('is for those who may read the audit log', async () => {
    const other = await administrator(guildhall, 'admin:authenticate', 'user:lookup')
    expectRefusal(await explain('1', { token: other.token }), 403, 'MISSING_ACL')
    expectRefusal(await explain('1', { token: ada.token }), 403, 'MISSING_PERMISSIONS')
  })
})

async function bodyList(path: string): Promise<unknown> {
  return (await guildhall.request('GET', path, { token: reader.token })).body
}
