import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bodyOf, expectRefusal, found, listOf, type TestGuild } from '../operations/support/answers.ts'
import { connections } from '../operations/support/connected.ts'
import { laidDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../support/test-guildhall.ts'
import { runHere } from './support/command-here.ts'
import { environmentOf } from './support/instance.ts'

const personalDataKey = randomBytes(32)
const { connect, end } = connections()
let database: TestDatabase
let api: TestGuildhall
let ada: TestAccount
let brian: TestAccount
let home: TestGuild

beforeAll(async () => {
  database = await laidDatabase()
  api = await startTestGuildhall({ connection: database.connection, personalDataKey })
  ada = await api.register()
  brian = await api.register()
  home = await found(api, ada)
})
afterAll(async () => {
  end()
  await api.close()
  await database.close()
})

const guildhall = (...words: readonly string[]) =>
  runHere(['guild', ...words], environmentOf(database.connection, personalDataKey))
const succeeds = async (...words: readonly string[]) => {
  const { code, output, said } = await guildhall(...words)
  expect([code, said]).toEqual([0, ''])
  return output
}
const shown = async () => bodyOf(await api.request('GET', `/v1/guilds/${home.id}`, { token: ada.token }))
const membersOf = async () =>
  listOf(await api.request('GET', `/v1/guilds/${home.id}/members?limit=100`, { token: ada.token })).length

describe('changes of guilds at the command line, beside a running server', () => {
  it('rename a guild and give it a code; the server tells its members at once', async () => {
    const { client } = await connect(api, ada)
    const output = await succeeds('rename', home.id, 'Engine', '--reason', 'offensive')
    expect(output).toMatch(new RegExp(`^Guild ${home.id} is named "Engine"\\.\nAudit log entry: \\d+\n$`))
    expect((await client.dispatch('GUILD_UPDATE')).d).toMatchObject({ name: 'Engine' })
    await succeeds('vanity', home.id, 'engine')
    expect(await shown()).toMatchObject({ vanity_url_code: 'engine' })
    await succeeds('vanity', home.id, '--remove')
    expect(await shown()).toMatchObject({ vanity_url_code: null })
  })
  it('write nothing in a dry run', async () => {
    expect(await succeeds('rename', home.id, 'Other', '--dry-run')).toMatch(/GuildModified[^]*nothing was written/)
    expect(await shown()).toMatchObject({ name: 'Engine' })
    expect(await succeeds('add-member', home.id, brian.id, '--dry-run')).toContain('MemberJoined')
    expect(await membersOf()).toBe(1)
  })
  it('add, ban, lift the ban, add again and kick', async () => {
    await succeeds('add-member', home.id, brian.id)
    expect(await membersOf()).toBe(2)
    await succeeds('ban', home.id, brian.id, '--seconds', '600', '--ban-reason', 'spam')
    expect(await membersOf()).toBe(1)
    expect(await guildhall('add-member', home.id, brian.id)).toMatchObject({
      code: 1,
      said: expect.stringContaining('USER_BANNED_FROM_GUILD'),
    })
    await succeeds('unban', home.id, brian.id)
    await succeeds('add-member', home.id, brian.id)
    await succeeds('kick', home.id, brian.id)
    expect(await membersOf()).toBe(1)
  })
  it('give a guild to a member, and delete it', async () => {
    await succeeds('add-member', home.id, brian.id)
    await succeeds('owner', home.id, brian.id)
    expect(await shown()).toMatchObject({ owner_id: brian.id })
    await succeeds('delete', home.id)
    expectRefusal(await api.request('GET', `/v1/guilds/${home.id}`, { token: ada.token }), 404, 'UNKNOWN_GUILD')
  })
  it.each([
    [['rename', '7', 'Engine'], 'There is no guild 7'],
    [['kick', 'home', '12'], 'home is not the id of a guild'],
    [['vanity', '7'], 'Name a code, or give --remove'],
    [['ban', '7', '12', '--seconds', 'long'], '--seconds long is not a whole number'],
  ])('refuse %j', async (words, said) => {
    expect(await guildhall(...words)).toMatchObject({ code: 1, output: '', said: expect.stringContaining(said) })
  })
})
