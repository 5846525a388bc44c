import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runHere } from '../cli/support/command-here.ts'
import { environmentOf } from '../cli/support/instance.ts'
import { faultOf } from '../cli/event-schemas/support/schemas.ts'
import type { AdminAcl } from '../../domain/admin/acls.ts'
import { bodyOf, found, listOf, type TestGuild } from '../operations/support/answers.ts'
import { administrator } from '../support/administrators.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { laidDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../support/test-guildhall.ts'
import { checkout, read } from './pages.ts'

const page = read('docs/audit-tools.md')
/** The programs of the page, as a reader saves them, in its order. */
const [search = '', follow = '', explain = '', validate = ''] = [...page.matchAll(/^```js\n([^]*?)^```$/gm)].map(
  ([, program = '']) => program,
)
const personalDataKey = randomBytes(32)
/** Those that the page names, and one to ban with. */
const acls: readonly AdminAcl[] = ['admin:authenticate', 'admin_api_key:manage', 'audit_log:view', 'user:temp_ban']

let laid: TestDatabase
let guildhall: TestGuildhall
let root: TestAccount
let ada: TestAccount
let home: TestGuild
let environment: NodeJS.ProcessEnv

const rename = (name: string) =>
  guildhall.request('PATCH', `/v1/guilds/${home.id}`, { token: ada.token, body: { name } })

beforeAll(async () => {
  laid = await laidDatabase()
  guildhall = await startTestGuildhall({ connection: laid.connection, personalDataKey })
  root = await administrator(guildhall, ...acls)
  // As the page says it, with curl.
  const wish = JSON.parse(/-d '(\{.*?\})'/.exec(page)?.[1] ?? '') as unknown
  const made = await guildhall.request('POST', '/v1/admin/api-keys', { token: root.token, body: wish })
  environment = { ...process.env, API_URL: guildhall.url, ADMIN_KEY: String(bodyOf(made)['key']) }
  ada = await guildhall.register()
  home = await found(guildhall, ada)
})
afterAll(async () => {
  await guildhall.close()
  await laid.close()
})

/** How Node is given a program of the page and its words; packages are those of the checkout. */
const asProgram = (program: string, ...words: readonly string[]): string[] => [
  '--input-type=module',
  '--eval',
  program,
  'program',
  ...words,
]

/** What a program of the page prints. */
const printed = async (program: string, ...words: readonly string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, asProgram(program, ...words), { cwd: checkout, env: environment }))
    .stdout

const command = (...words: readonly string[]) => runHere(words, environmentOf(laid.connection, personalDataKey))

describe('the scripts of docs/audit-tools.md', () => {
  it('search events to the last one, and go on from there', async () => {
    expect(await command('seed', '--members', '105', '--messages', '10', '--channels', '1')).toMatchObject({ code: 0 })
    const all = (await printed(search, 'MemberJoined')).trim().split('\n')
    const [, position = ''] = /^next: (\d+)$/.exec(all.pop() ?? '') ?? []
    // Those of the guild that was made up, with its owner, and Ada in hers.
    expect(all).toHaveLength(107)
    expect(all[0]).toMatch(new RegExp(`^\\S+ membership-${home.id}-${ada.id} account ${ada.id} \\{"guildId":`))
    const other = await found(guildhall, ada)
    const [one, next] = (await printed(search, 'MemberJoined', position)).split('\n')
    expect(one).toContain(`membership-${other.id}-${ada.id}`)
    expect(next).toMatch(/^next: \d+$/)
  })

  it('follow events as they are written, from a position on', async () => {
    const [newest] = listOf(await guildhall.request('GET', '/v1/admin/history/events?limit=1', { token: root.token }))
    await rename('One')
    const follower = spawn(process.execPath, asProgram(follow, String(newest?.['position'])), {
      cwd: checkout,
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let told = ''
    follower.stdout.on('data', (data: Buffer) => (told += data.toString()))
    try {
      const types = () => told.split('\n').flatMap((line) => line.split(' ').slice(2).join(' ') || [])
      const renamed = `guild-${home.id} GuildModified`
      await expect.poll(types).toStrictEqual([renamed])
      await rename('Two')
      await expect.poll(types).toStrictEqual([renamed, renamed])
    } finally {
      follower.kill()
    }
  })

  it('explain what followed from a request, each event below its cause', async () => {
    const answer = await guildhall.request('POST', '/v1/guilds', { token: ada.token, body: { name: 'Engine' } })
    const explained = await printed(explain, String(answer.headers.get('x-request-id')))
    const [operation, ...events] = explained.trimEnd().split('\n')
    expect(operation).toMatch(/^Create guild, \d{4}-/)
    const id = String(bodyOf(answer)['id'])
    expect(events[0]).toBe(`  GuildCreated guild-${id}`)
    expect(events.join('\n')).toContain(`\n    MemberJoined membership-${id}-${ada.id}`)
    await expect(printed(explain, 'nothing')).rejects.toThrow('404 NOT_FOUND')
  })

  it('validate an export, and find a line of it that was changed', async () => {
    const lasting = { token: root.token, body: { duration_hours: 1, reason: 'spam' } }
    await guildhall.request('PUT', `/v1/admin/users/${ada.id}/ban`, lasting)
    const file = path.join(await temporaryFolder('audit-tools'), 'history.jsonl')
    expect(await command('export', file, '--with-keys')).toMatchObject({ code: 0 })
    expect(await printed(validate, file)).toMatch(/^\d{3,} lines are valid, \d{3,} of them events\.\n$/)

    const lines = await readFile(file, 'utf8')
    const faulty = async (text: string): Promise<string> => {
      expect(text).not.toBe(lines)
      await writeFile(file, text)
      return await printed(validate, file).then(
        () => 'it is valid',
        (error: unknown) => String(error),
      )
    }
    expect(await faulty(lines.replace('"name":"Home"', '"name":7'))).toMatch(/line \d+: .*\/data\/name.*must be string/)
    expect(await faulty(lines.replace('"name":"Home"', '"name":"Rome"'))).toContain('the file was changed')
    expect(await faulty(lines.replace(/.*\n$/, ''))).toContain('the file is not whole')
  })
})

it('what the API answers of events is as the schemas say, with and without what is personal', async () => {
  for (const query of ['', '&reveal=true']) {
    const asked = `/v1/admin/history/events?limit=100${query}`
    const events = listOf(await guildhall.request('GET', asked, { token: root.token }))
    expect(events).toHaveLength(100)
    for (const { type, data } of events)
      expect({ type, fault: faultOf(String(type), data) }).toStrictEqual({ type, fault: undefined })
  }
})

it('the chain of the audit log is verified up to the hash of an earlier run', async () => {
  const first = await command('audit', 'verify')
  const hash = first.output.trimEnd().slice(-64)
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
  expect(await command('audit', 'verify', '--holds', hash)).toMatchObject({ code: 0 })
  const other = hash.replaceAll(/./g, (digit) => (digit === '0' ? '1' : '0'))
  expect(await command('audit', 'verify', '--holds', other)).toMatchObject({ code: 1 })
})
