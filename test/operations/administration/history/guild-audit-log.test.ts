import { describe, expect, it } from 'vitest'
import { administrator, auditEntries } from '../../../support/administrators.ts'
import { accept, expectRefusal, found, invite, listOf } from '../../support/answers.ts'
import { openServer } from '../../support/scene.ts'

type Entry = Readonly<Record<string, unknown>>

const guildhall = await openServer({})
const { request } = guildhall
const reader = await administrator(guildhall, 'admin:authenticate', 'audit_log:view')
const [ada, ben] = [await guildhall.register(), await guildhall.register()]
const home = await found(guildhall, ada)
const as = { token: ada.token }
const code = await invite(guildhall, ada, home.channel)
await accept(guildhall, ben, code)
await request('PATCH', `/v1/guilds/${home.id}`, {
  ...as,
  headers: { 'x-audit-log-reason': 'tidier' },
  body: { name: 'Lobby' },
})
await request('PATCH', `/v1/guilds/${home.id}/members/${ben.id}`, { ...as, body: { nick: 'CANARY' } })
await request('PUT', `/v1/guilds/${home.id}/bans/${ben.id}`, { ...as, body: { reason: 'CANARY too' } })

const ask = (query = '', token = reader.token) =>
  request('GET', `/v1/admin/history/guilds/${home.id}/audit-logs${query}`, { token })
const entries = async (query = ''): Promise<readonly Entry[]> => listOf(await ask(query))
const actions = async (query = '') => (await entries(query)).map(({ action }) => action)

describe('List history guild audit log entries', () => {
  it('gives the newest first, with who acted, what on, when and why, and nothing personal', async () => {
    const all = await entries()
    expect(all.map(({ action }) => action)).toEqual([
      'MEMBER_BAN_ADD',
      'MEMBER_UPDATE',
      'GUILD_UPDATE',
      'INVITE_CREATE',
    ])
    expect(all[2]).toMatchObject({
      actor_id: ada.id,
      target_id: home.id,
      reason: 'tidier',
      changes: [{ key: 'name', new_value: 'Lobby' }],
      left_out: [],
    })
    expect(all[1]).toMatchObject({ changes: [], left_out: ['/changes/nick'] })
    expect(all[0]).toMatchObject({
      target_id: ben.id,
      reason: null,
      at: expect.stringMatching(/Z$/),
      left_out: ['/changes/ip', '/changes/reason'],
    })
    expect(JSON.stringify(all)).not.toContain('CANARY')
  })
  it('is filtered by actor, target, action and time, which must all match', async () => {
    expect(await actions(`?actor=${ada.id}&action=INVITE_CREATE`)).toEqual(['INVITE_CREATE'])
    expect(await actions(`?actor=${ben.id}`)).toEqual([])
    expect(await actions(`?target=${code}`)).toEqual(['INVITE_CREATE'])
    expect(await actions(`?target=${ben.id}`)).toEqual(['MEMBER_BAN_ADD', 'MEMBER_UPDATE'])
    const at = String((await entries('?action=GUILD_UPDATE'))[0]?.['at'])
    expect(await actions(`?since=${at}`)).toContain('GUILD_UPDATE')
    expect(await actions(`?until=${at}`)).toEqual(['INVITE_CREATE'])
    expect(await actions('?since=2000-01-01T00:00:00Z&until=2001-01-01T00:00:00Z')).toEqual([])
  })
  it('comes in pages, before an entry or after one', async () => {
    const [first, second, third] = (await entries()).map(({ id }) => String(id))
    expect((await entries('?limit=2')).map(({ id }) => id)).toEqual([first, second])
    expect((await entries(`?before=${second}&limit=1`)).map(({ id }) => id)).toEqual([third])
    expect((await entries(`?after=${third}&limit=1`)).map(({ id }) => id)).toEqual([second])
    const at = String((await entries())[2]?.['at'])
    expect(await actions(`?before=${first}&until=${at}`)).toEqual(['INVITE_CREATE'])
  })
  it('reveals to those who ask what their ACLs show, and records that', async () => {
    const before = (await auditEntries(guildhall)).length
    const [ban, nick] = await entries('?reveal=true')
    expect(ban).toMatchObject({ left_out: ['/changes/ip'] })
    expect(JSON.stringify(ban)).toContain('CANARY too')
    expect(nick).toMatchObject({ left_out: ['/changes/nick'] })
    expect((await auditEntries(guildhall)).slice(before)).toMatchObject([
      { action: 'get_personal_history', adminId: reader.id, targetType: 'history_guild', targetId: home.id },
    ])
    const other = await administrator(guildhall, 'admin:authenticate', 'audit_log:view', 'user:lookup', 'user:view:ip')
    const whole = listOf(await ask('?reveal=true', other.token))
    expect(whole.map(({ left_out: leftOut }) => leftOut)).toEqual([[], [], [], []])
  })
  it('has nothing of a guild that never was, and refuses other callers and what cannot be', async () => {
    const nobody = await request('GET', '/v1/admin/history/guilds/1/audit-logs', { token: reader.token })
    expect(listOf(nobody)).toEqual([])
    expectRefusal(await ask('', ada.token), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await ask('?action=NOTHING'), 400, 'INVALID_FORM_BODY')
    expectRefusal(await ask('?before=1&after=2'), 400, 'INVALID_FORM_BODY')
    expectRefusal(await ask('?since=2001-01-01T00:00:00Z&until=2000-01-01T00:00:00Z'), 400, 'INVALID_FORM_BODY')
  })
})
