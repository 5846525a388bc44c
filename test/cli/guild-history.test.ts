import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { permissionBits } from '../../domain/permissions/permission-bits.ts'
import { accept, bodyOf, found, invite, listOf, type TestGuild } from '../operations/support/answers.ts'
import { administrator } from '../support/administrators.ts'
import { laidDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../support/test-guildhall.ts'
import { runHere } from './support/command-here.ts'
import { environmentOf } from './support/instance.ts'

const personalDataKey = randomBytes(32)
let database: TestDatabase
let api: TestGuildhall
let [ada, ben, eve, reader]: TestAccount[] = []
let home: TestGuild
let role: string
/** When the role was made, before anything else changed. */
let since: string

const guildhall = (...words: readonly string[]) =>
  runHere(['guild', ...words], environmentOf(database.connection, personalDataKey))
const asked = async (path: string) => bodyOf(await api.request('GET', path, { token: theReader().token }))
const theReader = (): TestAccount => reader ?? expect.fail('there is no reader')

beforeAll(async () => {
  database = await laidDatabase()
  api = await startTestGuildhall({ connection: database.connection, personalDataKey })
  ada = await api.register()
  ben = await api.register()
  eve = await api.register()
  reader = await administrator(api, 'admin:authenticate', 'audit_log:view')
  home = await found(api, ada)
  const as = { token: ada.token }
  const moderator = { ...as, body: { name: 'Moderator', permissions: '0' } }
  role = String(bodyOf(await api.request('POST', `/v1/guilds/${home.id}/roles`, moderator))['id'])
  const made = await api.request('GET', '/v1/admin/history/events?type=RoleCreated&limit=1', { token: reader.token })
  since = String(listOf(made)[0]?.['at'])
  const code = await invite(api, ada, home.channel)
  for (const account of [ben, eve]) await accept(api, account, code)
  const permissions = permissionBits.BAN_MEMBERS.toString()
  const headers = { 'x-audit-log-reason': 'more help' }
  await api.request('PATCH', `/v1/guilds/${home.id}/roles/${role}`, { ...as, headers, body: { permissions } })
  await api.request('PUT', `/v1/guilds/${home.id}/members/${ben.id}/roles/${role}`, as)
  await api.request('PUT', `/v1/guilds/${home.id}/bans/${eve.id}`, { ...as, body: { reason: 'CANARY' } })
})
afterAll(async () => {
  await api.close()
  await database.close()
})

describe('guildhall guild show', () => {
  it('prints the guild of now, without what is personal', async () => {
    const { output, code } = await guildhall('show', home.id)
    expect(code).toBe(0)
    expect(output).toMatch(new RegExp(`^Guild ${home.id} ".+", now: active\nowned by account ${ada?.id}, founded `))
    expect(output).toContain(`\n  "Moderator", role ${role}, position 1: BAN_MEMBERS\n`)
    expect(output).toMatch(new RegExp(`\n {2}"general", text channel ${home.channel}, position \\d+`))
    expect(output).toMatch(/\nMembers, 2 of 2:\n/)
    expect(output).toMatch(new RegExp(`\n {2}account ${ben?.id}, joined \\S+, roles Moderator\n`))
    expect(output).toMatch(
      new RegExp(`\nBans, 1 of 1:\n {2}account ${eve?.id}, banned \\S+ by account ${ada?.id}, until it is`),
    )
    expect(output).toContain(`Left out, as personal: /bans/${eve?.id}/reason`)
    expect(output).not.toContain('CANARY')
  })
  it('prints the guild of a moment', async () => {
    const { output } = await guildhall('show', home.id, '--at', since)
    expect(output).toContain(`"Moderator", role ${role}, position 1: nothing`)
    expect(output).toMatch(/\nMembers, 1 of 1:\n/)
    expect(output).toMatch(/\nBans, 0 of 0\nInvites, 0\n$/)
  })
  it('prints what the Admin API answers, also other pages', async () => {
    const pages = ['--members-after', ada?.id ?? '', '--bans-after', eve?.id ?? '', '--invites-after', 'zzz']
    const { output } = await guildhall('show', home.id, '--limit', '1', ...pages, '--json')
    const query = `limit=1&members_after=${ada?.id}&bans_after=${eve?.id}&invites_after=zzz`
    const answer = await asked(`/v1/admin/history/guilds/${home.id}?${query}`)
    expect(JSON.parse(output)).toEqual(answer)
    expect(answer).toMatchObject({ members: [{ account_id: ben?.id }], ban_count: 1, bans: [], invites: [] })
  })
  it('refuses in one line what is not there, and what it cannot understand', async () => {
    const refused = async (...words: readonly string[]) => (await guildhall('show', ...words)).said
    expect(await refused('1')).toBe('There is no guild 1\n')
    expect(await refused('home')).toBe('home is not the id of a guild\n')
    expect(await refused(home.id, '--at', '2000-01-01T00:00:00Z')).toContain('TIME_BEFORE_FIRST_EVENT')
    expect(await refused(home.id, '--at', '7')).toContain('--at takes an instant')
    expect(await refused(home.id, '--limit', '0')).toContain('--limit takes a number from 1 to 1000')
    expect(await refused(home.id, '--members-after', 'ada')).toContain('--members-after takes the id of an account')
  })
})

describe('guildhall guild changes', () => {
  it('prints what changed since a moment in words, when, by whom, by which operation and why', async () => {
    const { output } = await guildhall('changes', home.id, '--from', since)
    const lines = output.split('\n')
    const change = lines.findIndex((line) => line.endsWith('  role Moderator got BAN_MEMBERS'))
    expect(lines[change]).toMatch(/^\d{4}-\d\d-\d\dT\S+Z {2}role/)
    expect(lines[change + 1]).toMatch(
      new RegExp(`^ {7}by account ${ada?.id}, [A-Z].+, reason: more help, event [0-9a-f-]{36}$`),
    )
    expect(output).toContain(`  account ${eve?.id} is banned\n`)
    expect(output).not.toContain('CANARY')
  })
  it('begins with the founding, and prints the same as JSON', async () => {
    const { output } = await guildhall('changes', home.id, '--json')
    const answer = JSON.parse(output) as { readonly changes: readonly { readonly text: string }[] }
    expect(answer.changes[0]?.text).toBe('the guild was founded')
    expect(answer).toEqual(await asked(`/v1/admin/history/guilds/${home.id}/changes`))
  })
  it('prints a page, and after what the next one comes', async () => {
    const whole = (await guildhall('changes', home.id)).output.split('\n').filter((line) => !line.startsWith(' '))
    const first = (await guildhall('changes', home.id, '--limit', '1')).output
    const after = /There are more: --after (\d+)\n$/.exec(first)?.[1] ?? expect.fail(first)
    const next = (await guildhall('changes', home.id, '--after', after)).output
    const told = `${first.replace(/There are more.*\n$/, '')}${next}`
    expect(told.split('\n').filter((line) => !line.startsWith(' '))).toEqual(whole)
    expect((await guildhall('changes', home.id, '--after', 'the last')).said).toContain(
      'must be the position of an event',
    )
  })
  it('says that nothing differs, and refuses what cannot be', async () => {
    const same = await guildhall('changes', home.id, '--from', since, '--to', since)
    expect(same.output).toBe('Nothing differs.\n')
    const { said } = await guildhall(
      'changes',
      home.id,
      '--from',
      '2999-01-01T00:00:00Z',
      '--to',
      '2998-01-01T00:00:00Z',
    )
    expect(said).toContain('RANGE_ENDS_BEFORE_START')
    expect((await guildhall('changes', '1')).said).toBe('There is no guild 1\n')
  })
})
