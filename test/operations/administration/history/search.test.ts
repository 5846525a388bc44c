import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { administrator, auditEntries } from '../../../support/administrators.ts'
import { expectFields, found, listOf } from '../../support/answers.ts'
import { openServer } from '../../support/scene.ts'

const guildhall = await openServer({})
const { request } = guildhall
const root = await administrator(guildhall, '*')
const ada = await guildhall.register()
const home = await found(guildhall, ada)
const renamed = await request('PATCH', `/v1/guilds/${home.id}`, { token: ada.token, body: { name: 'Engine' } })
const bob = await guildhall.register()

const ask = (query: string, token = root.token) => request('GET', `/v1/admin/history/events${query}`, { token })
const typesOf = async (query: string) => listOf(await ask(query)).map(({ type }) => type)

describe('Search history events', () => {
  it('gives the newest first, with what they say', async () => {
    expect(listOf(await ask('?limit=2&category=account'))).toMatchObject([
      { stream: `account-${bob.id}`, data: { accountId: bob.id, ip: null }, left_out: expect.any(Array) },
      { stream: expect.stringMatching(/^account-/) },
    ])
  })
  it('finds by actor, type and category, which must all match', async () => {
    expect(await typesOf(`?actor=${ada.id}&type=GuildModified`)).toEqual(['GuildModified'])
    expect(await typesOf(`?actor=${bob.id}&type=GuildModified`)).toEqual([])
    expect(await typesOf(`?type=GuildModified&category=account`)).toEqual([])
    expect(new Set(await typesOf(`?actor=${ada.id}&category=membership`))).toEqual(new Set(['MemberJoined']))
    expect(await typesOf('?type=GuildModified&type=GuildCreated')).toEqual(['GuildModified', 'GuildCreated'])
  })
  it('finds all that one request did, by its id', async () => {
    const id = String(renamed.headers.get('x-request-id'))
    expect(listOf(await ask(`?correlation_id=${id}`))).toMatchObject([{ type: 'GuildModified', correlation_id: id }])
  })
  it('is bounded by times: from the first on, before the second', async () => {
    const [event] = listOf(await ask('?type=GuildModified'))
    const at = String(event?.['at'])
    const later = new Date(Date.parse(at) + 1).toISOString()
    expect(await typesOf(`?type=GuildModified&since=${at}&until=${later}`)).toEqual(['GuildModified'])
    expect(await typesOf(`?type=GuildModified&until=${at}`)).toEqual([])
    expect(await typesOf(`?type=GuildModified&since=${later}`)).toEqual([])
  })
  it('goes back and forth by positions without leaving anything out', async () => {
    const all = listOf(await ask('?limit=100')).map(({ position }) => String(position))
    const [first, second] = all
    expect(listOf(await ask(`?limit=1&before=${first}`))).toMatchObject([{ position: second }])
    expect(listOf(await ask(`?limit=1&after=${second}`))).toMatchObject([{ position: first }])
    expect(listOf(await ask(`?after=${first}`))).toEqual([])
    const forwards: string[] = []
    for (let after = '0'; ; after = forwards.at(-1) ?? after) {
      const page = listOf(await ask(`?after=${after}&limit=7`)).map(({ position }) => String(position))
      forwards.push(...page)
      if (page.length < 7) break
    }
    expect(forwards.slice(-all.length)).toEqual(all.toReversed())
  })
  it('leaves an entry only for what it reveals', async () => {
    const before = await auditEntries(guildhall)
    expect(JSON.stringify(listOf(await ask('?type=AccountRegistered')))).not.toContain('@')
    expect(await auditEntries(guildhall)).toEqual(before)
    expect(JSON.stringify(listOf(await ask('?type=AccountRegistered&reveal=true')))).toContain('@')
    expect((await auditEntries(guildhall)).slice(before.length)).toMatchObject([{ action: 'get_personal_history' }])
  })
  it('refuses what it cannot understand at its place', async () => {
    expectFields(await ask('?before=1&after=1'), field('root', 'CANNOT_SPECIFY_BOTH_BEFORE_AND_AFTER'))
    expectFields(
      await ask('?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z'),
      field('root', 'RANGE_ENDS_BEFORE_START'),
    )
    expectFields(await ask('?after=-1'), field('after', 'INVALID_INTEGER_FORMAT'))
    for (const bad of ['type=Nothing', 'category=nothing', 'since=now', 'limit=101', 'actor=', 'before=1e3'])
      expect([bad, (await ask(`?${bad}`)).status]).toEqual([bad, 400])
  })
})
