import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { followed } from '../../cli/commands/printed-events.ts'
import { streamName } from '../../domain/streams.ts'
import { bodyOf, found, type TestGuild } from '../operations/support/answers.ts'
import { laidDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../support/test-guildhall.ts'
import { runHere } from './support/command-here.ts'
import { environmentOf } from './support/instance.ts'

const personalDataKey = randomBytes(32)
let database: TestDatabase
let api: TestGuildhall
let ada: TestAccount
let home: TestGuild
/** The revision of the guild before it was renamed. */
let before: number
let renaming: string

const guildhall = (...words: readonly string[]) => runHere(words, environmentOf(database.connection, personalDataKey))
const jsonOf = async (...words: readonly string[]): Promise<Readonly<Record<string, unknown>>> => {
  const { code, output } = await guildhall(...words, '--json')
  expect(code).toBe(0)
  return JSON.parse(output) as Readonly<Record<string, unknown>>
}

async function rename(name: string): Promise<string> {
  const headers = { 'x-audit-log-reason': 'a better name' }
  const answer = await api.request('PATCH', `/v1/guilds/${home.id}`, { token: ada.token, headers, body: { name } })
  expect(bodyOf(answer)['name']).toBe(name)
  return String(answer.headers.get('x-request-id'))
}

beforeAll(async () => {
  database = await laidDatabase()
  api = await startTestGuildhall({ connection: database.connection, personalDataKey })
  ada = await api.register()
  home = await found(api, ada)
  const { to } = (await jsonOf('history', `guild-${home.id}`, '--at', '2999-01-01T00:00:00Z')) as {
    readonly to: { readonly revision: number }
  }
  before = to.revision
  renaming = await rename('Engine')
})
afterAll(async () => {
  await api.close()
  await database.close()
})

describe('guildhall history', () => {
  it('prints the state at a moment, without what is personal', async () => {
    const { output } = await guildhall('history', `guild-${home.id}`, '--at', String(before + 1))
    expect(output).toMatch(new RegExp(`^guild-${home.id} after event ${before + 1}, GuildModified, `))
    expect(output).toContain('"name": "Engine"')
    const account = await guildhall('history', `account-${ada.id}`, '--at', '0')
    expect(account.output).toMatch(/\nLeft out, as personal: .*\/email/)
    expect(account.output).not.toContain('@')
  })
  it('prints what changed between two moments, by whom, and why', async () => {
    const { output } = await guildhall('history', `guild-${home.id}`, '--diff', `${before}..${before + 1}`)
    const [head, change, cause] = output.split('\n')
    expect(head).toBe(`guild-${home.id} from event ${before} to event ${before + 1}:`)
    expect(change).toMatch(/^ {2}\/name: ".+" → "Engine"$/)
    expect(cause).toMatch(
      new RegExp(`GuildModified, event ${before + 1}, by account ${ada.id}, reason: a better name$`),
    )
    const same = await guildhall('history', `guild-${home.id}`, '--diff', `${before}..${before}`)
    expect(same.output).toContain('  Nothing differs.')
  })
  it('prints the same as JSON', async () => {
    expect(await jsonOf('history', `guild-${home.id}`, '--at', String(before + 1))).toMatchObject({
      state: { name: 'Engine' },
      to: { type: 'GuildModified', reason: 'a better name' },
    })
    expect(await jsonOf('history', `guild-${home.id}`, '--diff', String(before))).toMatchObject({
      differences: [{ path: '/name', after: 'Engine', by: { revision: before + 1 } }],
    })
    const { output } = await guildhall('history', `guild-${home.id}`, '--json')
    const events = output.trim().split('\n')
    expect(events.map((line) => (JSON.parse(line) as { readonly revision: number }).revision)).toEqual(
      events.map((_, index) => index),
    )
  })
  it('refuses in one line what is not there, and what it cannot understand', async () => {
    const refused = async (...words: readonly string[]) =>
      (await guildhall('history', ...words)).said.trim().split('\n').at(-1)
    expect(await refused('guild-1', '--at', '0')).toBe('Nothing has happened in guild-1.')
    expect(await refused(`guild-${home.id}`, '--at', '2000-01-01T00:00:00Z')).toContain('TIME_BEFORE_FIRST_EVENT')
    expect(await refused(`guild-${home.id}`, '--at', '9999')).toContain('REVISION_AFTER_LAST_EVENT')
    expect(await refused(`guild-${home.id}`, '--diff', '3..1')).toContain('RANGE_ENDS_BEFORE_START')
    expect(await refused(`guild-${home.id}`, '--at', 'yesterday')).toContain('--at takes the number of an event')
    expect(await refused(`guild-${home.id}`, '--at', '1', '--diff', '1')).toContain('exclude each other')
    expect(await refused('nothing-1', '--at', '1')).toContain('nothing-1 is not a stream')
  })
})

describe('guildhall events', () => {
  it('prints the newest that match, oldest first', async () => {
    const { output } = await guildhall('events', '--actor', ada.id, '--category', 'guild', '--last', '2')
    const headings = output.split('\n').filter((line) => /^ {4}</.test(line))
    expect(headings).toHaveLength(2)
    expect(headings.at(-1)).toContain(`GuildModified, in guild-${home.id}`)
    expect(await jsonOf('events', '--request', renaming)).toMatchObject({
      type: 'GuildModified',
      correlation_id: renaming,
    })
    expect((await guildhall('events', '--type', 'GuildModified', '--category', 'account')).output).toBe(
      'No event matches.\n',
    )
  })
  it('refuses what it cannot understand', async () => {
    const refused = async (...words: readonly string[]) => (await guildhall('events', ...words)).said
    expect(await refused('--type', 'Nothing')).toContain('There is no event Nothing')
    expect(await refused('--category', 'nothing')).toContain('nothing is not a category')
    expect(await refused('--since', 'now')).toContain('--since takes an instant')
    expect(await refused('--last', '0')).toContain('--last takes a number from 1 to 1000')
  })
  it('prints new ones as they are written, of those that match', async () => {
    const { events } = api.store
    const stop = new AbortController()
    const lines: string[] = []
    const filter = { types: ['GuildModified'] }
    const following = { events, after: await events.end(), stream: streamName('guild', home.id), filter, isJson: true }
    const done = followed({ ...following, signal: stop.signal }, (line) => {
      lines.push(line)
      stop.abort()
    })
    await api.register()
    await rename('Analytical')
    await done
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { type: 'GuildModified', data: { after: { name: 'Analytical' } } },
    ])
  })
})
