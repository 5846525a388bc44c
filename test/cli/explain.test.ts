import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accept, found, invite, type TestGuild } from '../operations/support/answers.ts'
import { laidDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../support/test-guildhall.ts'
import { runHere } from './support/command-here.ts'
import { environmentOf } from './support/instance.ts'

const personalDataKey = randomBytes(32)
let database: TestDatabase
let api: TestGuildhall
let ada: TestAccount
let brian: TestAccount
let home: TestGuild
let code: string
let request: string

const explain = (...words: readonly string[]) =>
  runHere(['explain', ...words], environmentOf(database.connection, personalDataKey))

beforeAll(async () => {
  database = await laidDatabase()
  api = await startTestGuildhall({ connection: database.connection, personalDataKey })
  ada = await api.register()
  home = await found(api, ada)
  brian = await api.register()
  code = await invite(api, ada, home.channel)
  request = String((await accept(api, brian, code)).headers.get('x-request-id'))
})
afterAll(async () => {
  await api.close()
  await database.close()
})

it('prints the request, and its events below their causes', async () => {
  const { code: status, output } = await explain(request)
  const lines = output.trimEnd().split('\n')
  expect(status).toBe(0)
  expect(lines[0]).toBe(`Request ${request}: Accept invite`)
  expect(lines[1]).toMatch(new RegExp(`^\\S+Z, by account ${brian.id}$`))
  expect(lines[2]).toMatch(
    new RegExp(`^ {2}InviteRedeemed, in invite-${code} as event 1, \\S+Z, by account ${brian.id}, `),
  )
  expect(lines[3]).toMatch(/^ {4}MemberJoined, in membership-/)
  expect(lines[4]).toMatch(/^ {6}dispatches GUILD_MEMBER_ADD, GUILD_CREATE, /)
  expect(lines.at(-1)).toMatch(/^\d+ events\.$/)
})

it('prints the same as JSON, also by an event', async () => {
  const { output } = await explain(request, '--json')
  const explained = JSON.parse(output) as { readonly nodes: readonly { readonly event_id: string }[] }
  expect(explained).toMatchObject({ requests: [{ id: request, operation: 'Accept invite' }], truncated: false })
  expect((await explain(explained.nodes[1]?.event_id ?? '', '--json')).output).toBe(output)
})

it('prints each request to which a client gave the same id, with its own events', async () => {
  const headers = { 'x-request-id': 'client:the-same' }
  for (const name of ['First', 'Second'])
    await api.request('PATCH', `/v1/guilds/${home.id}`, { token: ada.token, headers, body: { name } })
  const { output } = await explain('client:the-same')
  const lines = output.trimEnd().split('\n')
  expect(lines.map((line) => line.replaceAll(/[0-9a-f-]{36}|\S+Z|(?<=event )\d+/g, '…'))).toEqual([
    'Request … (client:the-same): Modify guild',
    `…, by account ${ada.id}`,
    `  GuildModified, in guild-${home.id} as event …, …, by account ${ada.id}, …`,
    '    dispatches GUILD_UPDATE, GUILD_AUDIT_LOG_ENTRY_CREATE',
    'Request … (client:the-same): Modify guild',
    `…, by account ${ada.id}`,
    `  GuildModified, in guild-${home.id} as event …, …, by account ${ada.id}, …`,
    '    dispatches GUILD_UPDATE, GUILD_AUDIT_LOG_ENTRY_CREATE',
    '2 events.',
  ])
})

it('prints mails and jobs with what led to them', async () => {
  const leaving = await api.register()
  const body = { password: leaving.password }
  const left = await api.request('POST', '/v1/users/@me/delete', { token: leaving.token, body })
  const { output } = await explain(String(left.headers.get('x-request-id')))
  expect(output).toMatch(
    new RegExp(`^ {2}mail account_deletion_scheduled to account ${leaving.id}, \\S+Z, kept\\n {2}SelfDeletion`, 'm'),
  )
})

it('says that it knows nothing of an id', async () => {
  const { code: status, said } = await explain('nothing')
  expect([status, said]).toEqual([1, expect.stringContaining('No event belongs to nothing.')])
})
