import { randomBytes } from 'node:crypto'
import { access, readdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../support/test-database.ts'
import { runHere } from './support/command-here.ts'
import { run, type Ended } from './support/command-process.ts'
import { environmentOf, instance, type Instance } from './support/instance.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** One that no server has started on: each refused command leaves it so. */
let site: Instance
let folder: string

beforeAll(async () => {
  site = await instance(undefined, { withoutTables: true })
})
afterAll(() => site.close())
beforeEach(async () => {
  folder = await temporaryFolder('first')
})

/** The error of a refused command: one line, and nothing on standard output. */
async function refusal(...words: readonly string[]): Promise<string> {
  return lineOf(await site.guildhall(words))
}

/** The same for a command in a process of its own. */
async function refusalSpawned(...words: readonly string[]): Promise<string> {
  return lineOf(await site.spawned(words))
}

function lineOf({ code, output, said }: Ended): string {
  expect({ code, output }).toStrictEqual({ code: 1, output: '' })
  expect(said).toMatch(/^.+\n$/)
  return said.trimEnd()
}

describe('where no instance is', () => {
  let empty: TestDatabase
  beforeAll(async () => {
    empty = await testDatabase()
  })
  afterAll(() => empty.close())

  const commands = [
    ['history', 'account-1'],
    ['events'],
    ['guild', 'show', '1'],
    ['guild', 'changes', '1'],
    ['guild', 'list'],
    ['guild', 'rename', '1', 'Engine'],
    ['guild', 'vanity', '1', '--remove'],
    ['guild', 'delete', '1'],
    ...['owner', 'add-member', 'kick', 'ban', 'unban'].map((act) => ['guild', act, '1', '2']),
    ...['members', 'channels', 'roles', 'invites', 'bans'].map((part) => ['guild', part, '1']),
    ['guild', 'rewind', '1', '--to', '2020-01-31T12:00:00Z'],
    ['projections'],
    ['index-messages'],
    ['mail'],
    ['mails'],
    ['store', 'purchases'],
    ['replay'],
    ['verify'],
    ['export'],
    ['backup', 'never-written'],
    ['instance'],
    ['instance', 'set', 'registration.mode=closed'],
    ['instance', 'get'],
    ['admin', 'list'],
    ['admin', 'grant', '1', '*'],
    ['admin', 'revoke', '1'],
    ['user', 'show', '1'],
    ['user', 'ban', '1', '--dry-run'],
    ['undo', '1'],
    ['deletions'],
    ['ban-ip', '203.0.113.7'],
    ['unban-ip', '203.0.113.7'],
    ['ip-bans'],
    ['registrations', 'list'],
    ['registration-url', 'create'],
    ['audit', 'list'],
    ['audit', 'guild', '1'],
    ['audit', 'verify'],
  ]

  it.each(commands.map((words) => ({ words, line: words.join(' ') })))(
    'guildhall $line is refused, and leaves an empty database as it is',
    async ({ words }) => {
      const { said, code } = await runHere(words, environmentOf(empty.connection, randomBytes(32)))
      const reason = expect.stringMatching(/^There is no instance in the database /)
      expect({ said, code }).toStrictEqual({ said: reason, code: 1 })
      const { rows } = await empty.database.pool.query(`select nspname from pg_namespace where nspname = 'ledger'`)
      expect(rows).toStrictEqual([])
    },
  )

  it('a command is refused in an empty folder, and makes nothing in it', async () => {
    const { code, said } = await run(['admin', 'grant', '1', '*'], { DATABASE_URL: '', DATA_DIR: folder })
    expect({ code, said }).toStrictEqual({
      code: 1,
      said: `There is no instance in ${folder}. Run the command in the folder, or with the settings, of the server; start, import, restore and seed make a new instance\n`,
    })
    expect(await readdir(folder)).toStrictEqual([])
  })
})

describe('an instance that no server has started on', () => {
  const askReadModels = [
    ['guild', 'show', '1'],
    ['guild', 'changes', '1'],
    ['guild', 'list'],
    ['guild', 'rename', '1', 'Engine'],
    ['guild', 'vanity', '1', '--remove'],
    ['guild', 'delete', '1'],
    ...['owner', 'add-member', 'kick', 'ban', 'unban'].map((act) => ['guild', act, '1', '2']),
    ...['members', 'channels', 'roles', 'invites', 'bans'].map((part) => ['guild', part, '1']),
    ['guild', 'rewind', '1', '--to', '2020-01-31T12:00:00Z'],
    ['audit', 'list'],
    ['audit', 'guild', '1'],
    ['projections'],
    ['mails'],
    ['store', 'purchases'],
    ['ip-bans'],
    ['registrations', 'list'],
    ['registration-url', 'list'],
    ['user', 'ban', '1'],
    ['undo', '1'],
    ['deletions'],
    ['admin', 'list'],
    ['admin', 'grant', 'Ada#0001', '*'],
    ['verify'],
  ]

  it.each(askReadModels)('tells %s that it has no read models, and what creates them', async (...words) => {
    expect(await refusal(...words)).toBe(
      'There are no read models yet: a server that starts builds them, and so does replay',
    )
  })
})

describe('a file that cannot be used', () => {
  it('is named with the reason; the temporary file is not', async () => {
    const nowhere = path.join(folder, 'none', 'history.jsonl')
    expect(await refusalSpawned('export', nowhere)).toBe(`${nowhere} can't be written: no such file or directory`)
    await expect(access(path.dirname(nowhere))).rejects.toThrow('ENOENT')
    expect(await refusal('import', nowhere)).toBe(`${nowhere} can't be read: no such file or directory`)
    expect(await refusalSpawned('import', folder)).toBe(`${folder} can't be read: it is a folder`)
  })
})

describe('a server that does not answer', () => {
  it('is named before the story begins', async () => {
    const saying = (url: string) => `No server answers at ${url}: start one with 'npm start', or name one with --url`
    expect(await refusalSpawned('demo', '--url', 'http://127.0.0.1:1')).toBe(saying('http://127.0.0.1:1'))
    expect(await refusal('demo', '--url', 'nowhere')).toBe(saying('nowhere'))
    const { said } = await site.guildhall(['watch'], {
      environment: { GUILDHALL_TOKEN: 'any', PUBLIC_URL: 'http://127.0.0.1:1' },
    })
    expect(said).toBe(`${saying('http://127.0.0.1:1')}\n`)
  })
})
