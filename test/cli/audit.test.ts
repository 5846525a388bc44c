import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { found, listOf, type TestGuild } from '../operations/support/answers.ts'
import { administrator } from '../support/administrators.ts'
import { laidDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../support/test-guildhall.ts'
import { runHere } from './support/command-here.ts'
import { environmentOf } from './support/instance.ts'

type Entry = Readonly<Record<string, unknown>>

const personalDataKey = randomBytes(32)
let database: TestDatabase
let api: TestGuildhall
let root: TestAccount
let ada: TestAccount
let home: TestGuild

const guildhall = (...words: readonly string[]) =>
  runHere(['audit', ...words], environmentOf(database.connection, personalDataKey))
const jsonOf = async (...words: readonly string[]): Promise<readonly Entry[]> => {
  const { code, output } = await guildhall(...words, '--json')
  expect(code).toBe(0)
  const lines = output.trim().split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Entry)
}
const actionsOf = async (...words: readonly string[]) => (await jsonOf(...words)).map(({ action }) => action)

beforeAll(async () => {
  database = await laidDatabase()
  api = await startTestGuildhall({ connection: database.connection, personalDataKey })
  root = await administrator(api, '*')
  ada = await api.register()
  home = await found(api, ada)
  const { token } = root
  const headers = { 'x-audit-log-reason': 'CANARY' }
  await api.request('PUT', `/v1/admin/users/${ada.id}/acls`, { token, headers, body: { acls: ['user:lookup'] } })
  await api.request('POST', '/v1/admin/api-keys', { token, body: { name: 'Backup', acls: [] } })
  await api.request('GET', '/v1/admin/acls', { token })
  const as = { token: ada.token }
  await api.request('PATCH', `/v1/guilds/${home.id}`, {
    ...as,
    headers: { 'x-audit-log-reason': 'tidier' },
    body: { name: 'Lobby' },
  })
  await api.request('PUT', `/v1/guilds/${home.id}/bans/${root.id}`, { ...as, body: { reason: 'CANARY' } })
})
afterAll(async () => {
  await api.close()
  await database.close()
})

describe('guildhall audit list', () => {
  it('prints the newest entries, oldest first, without what is personal', async () => {
    const { output } = await guildhall('list', '--actor', root.id)
    const heads = output.split('\n').filter((line) => /^\d{4}-/.test(line))
    expect(heads.map((line) => line.replace(/^\S+ {2}/, ''))).toEqual([
      `set_acls on user ${ada.id}`,
      expect.stringMatching(/^create_admin_api_key on admin_api_key \d+$/),
      expect.stringMatching(/^list_admin_acls on /),
    ])
    expect(output).toMatch(new RegExp(`\n {7}by account ${root.id}, entry \\d+\n {7}\\{"acls":"user:lookup"\\}\n`))
    expect(output).not.toContain('CANARY')
  })
  it('is bounded by target, action, time and number, and continued before an entry', async () => {
    const mine = ['list', '--actor', root.id] as const
    expect(await actionsOf('list', '--target', ada.id)).toEqual(['set_acls'])
    expect(await actionsOf('list', '--target', `user:${ada.id}`)).toEqual(['set_acls'])
    expect(await actionsOf('list', '--target', 'admin_api_key')).toEqual(['create_admin_api_key'])
    expect(await actionsOf('list', '--target', 'ip:2001:db8::/64')).toEqual([])
    expect(await actionsOf(...mine, '--action', 'list_admin_acls')).toEqual(['list_admin_acls'])
    expect(await actionsOf(...mine, '--until', '2000-01-01T00:00:00Z')).toEqual([])
    expect(await actionsOf(...mine, '--since', '2000-01-01T00:00:00Z', '--last', '2')).toHaveLength(2)
    const [, second] = await jsonOf(...mine)
    expect(await actionsOf(...mine, '--before', String(second?.['log_id']))).toEqual(['set_acls'])
  })
  it('leaves no entry, and says so where nothing matches', async () => {
    const before = await jsonOf('list', '--last', '200')
    expect((await guildhall('list', '--action', 'nothing')).output).toBe('No entry matches.\n')
    expect(await jsonOf('list', '--last', '200')).toEqual(before)
  })
})

describe('guildhall audit guild', () => {
  it("prints the newest entries of a guild's audit log, oldest first, without what is personal", async () => {
    const { output } = await guildhall('guild', home.id)
    expect(output).toMatch(
      new RegExp(
        `GUILD_UPDATE on ${home.id}\n {7}by account ${ada.id}, entry \\d+, reason: tidier\n {7}name: ".+" → "Lobby"\n`,
      ),
    )
    expect(output).toMatch(new RegExp(`MEMBER_BAN_ADD on ${root.id}\n`))
    expect(output).toContain('left out, as personal: /changes/ip, /changes/reason')
    expect(output).not.toContain('CANARY')
  })
  it('prints what the Admin API answers, by actor, target and action', async () => {
    const answer = await api.request('GET', `/v1/admin/history/guilds/${home.id}/audit-logs`, { token: root.token })
    expect(await jsonOf('guild', home.id)).toEqual(listOf(answer).toReversed())
    expect(await actionsOf('guild', home.id, '--action', 'member_ban_add')).toEqual(['MEMBER_BAN_ADD'])
    expect(await actionsOf('guild', home.id, '--target', home.id, '--actor', ada.id)).toEqual(['GUILD_UPDATE'])
    expect(await actionsOf('guild', home.id, '--actor', root.id)).toEqual([])
  })
  it('refuses what it cannot understand', async () => {
    const refused = async (...words: readonly string[]) => (await guildhall(...words)).said
    expect(await refused('guild', 'home')).toBe('home is not the id of a guild\n')
    expect(await refused('guild', home.id, '--action', 'nothing')).toContain(
      'nothing is not an action: these are GUILD_UPDATE',
    )
    expect(await refused('guild', home.id, '--last', '0')).toContain('--last takes a number from 1 to 200')
    expect(await refused('list', '--actor', 'ada')).toContain('--actor takes the id of an account')
    expect(await refused('list', '--before', 'x')).toContain('--before takes the id of an entry')
    expect(await refused('list', '--since', 'now')).toContain('--since takes an instant')
  })
})
