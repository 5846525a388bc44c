import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { permissionBits } from '../../domain/permissions/permission-bits.ts'
import { accept, bodyOf, found, invite, type TestGuild } from '../operations/support/answers.ts'
import { customCodesOn, newCode, setFeatures } from '../operations/support/custom-codes.ts'
import { administrator } from '../support/administrators.ts'
import { laidDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../support/test-guildhall.ts'
import { runHere } from './support/command-here.ts'
import { environmentOf } from './support/instance.ts'

const personalDataKey = randomBytes(32)
let database: TestDatabase
let api: TestGuildhall
let [ada, ben, eve, root]: TestAccount[] = []
let home: TestGuild
let other: TestGuild
let code: string
let custom: string
let role: string

const guildhall = (...words: readonly string[]) =>
  runHere(['guild', ...words], environmentOf(database.connection, personalDataKey))
const lines = async (...words: readonly string[]): Promise<readonly string[]> => {
  const { output, code: status } = await guildhall(...words)
  expect(status).toBe(0)
  return output.trimEnd().split('\n')
}
const asked = async (path: string) =>
  bodyOf(await api.request('GET', `/v1/admin/guilds${path}`, { token: root?.token ?? expect.fail('nobody asks') }))

beforeAll(async () => {
  database = await laidDatabase()
  api = await startTestGuildhall({ connection: database.connection, personalDataKey })
  ada = await api.register('ada')
  ben = await api.register('ben')
  eve = await api.register('eve')
  root = await administrator(api, '*')
  home = await found(api, ada, 'Engines')
  other = await found(api, ada, 'Looms')
  const as = { token: ada.token }
  const moderator = { name: 'Moderator', permissions: permissionBits.BAN_MEMBERS.toString() }
  role = String(bodyOf(await api.request('POST', `/v1/guilds/${home.id}/roles`, { ...as, body: moderator }))['id'])
  const hidden = [{ id: role, type: 0, allow: permissionBits.VIEW_CHANNEL.toString(), deny: '0' }]
  const body = { permission_overwrites: hidden }
  bodyOf(await api.request('PATCH', `/v1/channels/${home.channel}`, { ...as, body }))
  code = await invite(api, ada, home.channel, { max_uses: 5 })
  for (const account of [ben, eve]) bodyOf(await accept(api, account, code))
  await api.request('PATCH', `/v1/guilds/${home.id}/members/${ben.id}`, { ...as, body: { nick: 'Bee', roles: [role] } })
  await api.request('PUT', `/v1/guilds/${home.id}/bans/${eve.id}`, { ...as, body: { reason: 'spam' } })
  await setFeatures(api, home.id, 'VANITY_URL')
  custom = newCode()
  bodyOf(await customCodesOn(() => api).choose(ada, home.id, custom))
})
afterAll(async () => {
  await api.close()
  await database.close()
})

describe('guildhall guild list', () => {
  it('prints all guilds oldest first, or those that a text finds, in pages', async () => {
    expect(await lines('list')).toEqual([
      expect.stringMatching(new RegExp(`^${home.id} {2}"Engines", 2 members, owned by account ${ada?.id} ada#\\d{4}$`)),
      expect.stringMatching(new RegExp(`^${other.id} {2}"Looms", 1 members, owned by account ${ada?.id} `)),
      '2 of 2 guilds',
    ])
    expect(await lines('list', 'loo')).toEqual([expect.stringContaining('"Looms"'), '1 of 1 guilds'])
    expect(await lines('list', '--limit', '1', '--offset', '1')).toEqual([
      expect.stringContaining('"Looms"'),
      '1 of 2 guilds',
    ])
    expect(await lines('list', 'nothing of this name')).toEqual(['0 of 0 guilds'])
  })
})

describe('guildhall guild members, channels, roles, invites and bans', () => {
  it('print each on a line', async () => {
    const members = await lines('members', home.id)
    expect(members).toHaveLength(2)
    expect(members.find((line) => line.includes('"Bee"'))).toMatch(
      new RegExp(
        `^account ${ben?.id} ben#\\d{4} "Bee", joined \\S+ by invite ${code} of account ${ada?.id}, roles ${role}$`,
      ),
    )
    expect(await lines('members', home.id, '--name', 'bee')).toHaveLength(1)
    expect(await lines('members', home.id, '--invite', code)).toHaveLength(1)
    expect(await lines('members', home.id, '--invite', custom)).toEqual(['No member.'])
    expect((await lines('channels', home.id)).join('\n')).toContain(
      `"general", text channel ${home.channel}, position 0`,
    )
    expect(await lines('channels', home.id)).toContain(`  for role "${role}": allows VIEW_CHANNEL, denies nothing`)
    expect((await lines('roles', home.id))[0]).toBe(`"Moderator", role ${role}, position 1: BAN_MEMBERS`)
    expect(await lines('invites', home.id)).toEqual([
      expect.stringMatching(new RegExp(`^${code} {2}to channel ${home.channel} "general", by account ${ada?.id} ada#`)),
      `${custom}  the custom invite URL, used 0 times`,
    ])
    expect((await lines('invites', home.id))[0]).toContain('used 2 of 5 times, made ')
    expect(await lines('bans', home.id)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^account ${eve?.id} eve#\\d{4}, banned \\S+ by account ${ada?.id} ada#\\d{4}, until it is lifted, reason: spam$`,
        ),
      ),
    ])
    expect(await lines('bans', other.id)).toEqual(['No ban.'])
    expect(await lines('invites', other.id)).toEqual(['No invite.'])
  })
  it('print what the Admin API answers', async () => {
    for (const part of ['members', 'channels', 'roles', 'invites', 'bans'])
      expect(JSON.parse((await lines(part, home.id, '--json')).join(''))).toEqual(await asked(`/${home.id}/${part}`))
    expect(JSON.parse((await lines('list', '--json')).join(''))).toEqual(await asked(''))
  })
  it('refuse in one line what is not there, and what they cannot understand', async () => {
    const refused = async (...words: readonly string[]) => {
      const { said, code: status, output } = await guildhall(...words)
      expect({ status, output }).toEqual({ status: 1, output: '' })
      return said
    }
    for (const part of ['members', 'channels', 'roles', 'invites', 'bans']) {
      expect(await refused(part, '1')).toBe('There is no guild 1\n')
      expect(await refused(part, 'home')).toBe('home is not the id of a guild\n')
    }
    expect(await refused('members', home.id, '--limit', '201')).toContain('limit: ')
    expect(await refused('list', '--offset', '10001')).toContain('offset: ')
  })
})
