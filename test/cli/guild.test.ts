import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administrator } from '../support/administrators.ts'
import { laidDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../support/test-guildhall.ts'
import { bodyOf, expectRefusal, found, type TestGuild } from '../operations/support/answers.ts'
import { applied, isListed } from '../operations/support/discovery.ts'
import { runHere } from './support/command-here.ts'
import { environmentOf } from './support/instance.ts'

const personalDataKey = randomBytes(32)
let database: TestDatabase
let api: TestGuildhall
let ada: TestAccount
let home: TestGuild

beforeAll(async () => {
  database = await laidDatabase()
  api = await startTestGuildhall({ connection: database.connection, personalDataKey })
  ada = await api.register()
  home = await found(api, ada)
})
afterAll(async () => {
  await api.close()
  await database.close()
})

const guildhall = (...words: readonly string[]) =>
  runHere(['guild', ...words], environmentOf(database.connection, personalDataKey))
const guildOf = async ({ id }: TestGuild) => bodyOf(await api.request('GET', `/v1/guilds/${id}`, { token: ada.token }))

describe('guildhall guild features', () => {
  it('adds and removes features beside a running server, which honours them at once, and shows them', async () => {
    const changed = await guildhall('features', home.id, '--add', 'VERIFIED', 'VANITY_URL', '--remove', 'BANNER')
    expect(changed).toMatchObject({ code: 0 })
    const { features } = await guildOf(home)
    expect(features).toEqual(expect.arrayContaining(['VERIFIED', 'VANITY_URL']))
    expect(features).not.toContain('BANNER')
    const shown = await guildhall('features', home.id)
    expect(shown).toStrictEqual(changed)
    expect(shown.output).toBe(`Guild ${home.id} has: ${(features as readonly string[]).join(', ')}\n`)
  })

  it('lists a guild that has applied, as an administrator who is named decides', async () => {
    const guild = await applied(api, ada)
    const root = await administrator(api, 'admin:authenticate')
    expect(await guildhall('features', guild.id, '--add', 'DISCOVERABLE')).toMatchObject({
      code: 1,
      said: expect.stringContaining('--by'),
    })
    expect(await guildhall('features', guild.id, '--add', 'DISCOVERABLE', '--by', ada.id)).toMatchObject({
      code: 1,
      said: expect.stringContaining('is not an administrator'),
    })
    expect(await isListed(api, guild.id)).toStrictEqual([false, false])
    const listed = await guildhall('features', guild.id, '--add', 'DISCOVERABLE', '--by', root.id)
    expect(listed).toMatchObject({ code: 0, output: expect.stringContaining('DISCOVERABLE') })
    expect(await isListed(api, guild.id)).toStrictEqual([true, true])
    expect(await guildhall('features', home.id, '--add', 'DISCOVERABLE', '--by', root.id)).toMatchObject({
      code: 1,
      said: expect.stringContaining('has not applied'),
    })
  })

  it.each([
    [['7'], 'There is no guild 7'],
    [['7', '--add', 'VERIFIED'], 'There is no guild 7'],
    [['home'], 'home is not the id of a guild'],
    [['7', '--add', 'FLYING'], 'FLYING is not a feature. The features are: ANIMATED_ICON'],
  ])('refuses %j', async (words, message) => {
    expect(await guildhall('features', ...words)).toMatchObject({
      code: 1,
      output: '',
      said: expect.stringContaining(message),
    })
  })
})

describe('guildhall guild disable', () => {
  const send = () =>
    api.request('POST', `/v1/channels/${home.channel}/messages`, { token: ada.token, body: { content: 'hi' } })

  it('disables what is named, and nothing else; a running server honours it at once', async () => {
    expect(await guildhall('disable', home.id, 'SEND_MESSAGE', 'TYPING_EVENTS')).toMatchObject({
      code: 0,
      output: `Disabled in guild ${home.id}: TYPING_EVENTS, SEND_MESSAGE\n`,
    })
    expect(await guildOf(home)).toMatchObject({ disabled_operations: 20 })
    expectRefusal(await send(), 403, 'FEATURE_TEMPORARILY_DISABLED')
    expect(await guildhall('disable', home.id, 'none')).toMatchObject({
      code: 0,
      output: `Every operation is enabled in guild ${home.id}\n`,
    })
    expect(await guildOf(home)).toMatchObject({ disabled_operations: 0 })
  })

  it.each([
    [['7', 'SEND_MESSAGE'], 'There is no guild 7'],
    [['7', 'FLYING'], 'FLYING is not an operation. The operations are: PUSH_NOTIFICATIONS'],
    [['7', 'none', 'REACTIONS'], 'none is not an operation'],
  ])('refuses %j', async (words, message) => {
    expect(await guildhall('disable', ...words)).toMatchObject({ code: 1, said: expect.stringContaining(message) })
  })
})
