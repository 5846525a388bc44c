import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { checkStores } from '../../cli/doctor/check-outside.ts'
import { checkServer } from '../../cli/doctor/check-machine.ts'
import { checkProgram } from '../../cli/doctor/check-settings.ts'
import { openPostgres } from '../../cli/postgres.ts'
import { readSettings } from '../../process/settings/settings.ts'
import { accountId } from '../../domain/ids/ids.ts'
import { composeSnowflake } from '../../domain/ids/snowflake.ts'
import { streamName } from '../../domain/streams.ts'
import { startObjectStorage } from '../adapters/media/support/object-storage.ts'
import { registered } from '../projections/support/people.ts'
import { startEventStoreDouble } from '../support/eventstoredb-double/double.ts'
import { startMailServer } from '../support/mail-server.ts'
import { natsIsMissing, natsSuite, startNatsServer } from '../support/nats-server.ts'
import { startOldPostgres } from '../support/old-postgres.ts'
import { testDatabase } from '../support/test-database.ts'
import { runHere } from './support/command-here.ts'
import { happens, person } from './support/happenings.ts'
import { environmentOf, instance, type Instance } from './support/instance.ts'

type Environment = Readonly<Record<string, string>>

let site: Instance
let folder: string
const folders: string[] = []

async function newFolder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'gh-doctor-'))
  folders.push(made)
  return made
}

beforeAll(async () => {
  folder = await newFolder()
  site = await instance()
  await person(site.store.events, 1)
  await site.project()
})
afterAll(async () => {
  await site.close()
  for (const made of folders) await rm(made, { recursive: true, force: true })
})

/** What the doctor says: the lines, without those of the program, which depend on the machine. */
async function told(environment: Environment = {}, of: Instance = site) {
  const { code, output } = await of.guildhall(['doctor'], { environment: { DATA_DIR: folder, ...environment } })
  expect(output).not.toContain('CANARY')
  const lines = output.split('\n').filter((line) => line !== '' && !line.includes(' program '))
  for (const line of lines) expect(line).toMatch(/^(?:ok {4}|warn {2}|bad {3})[a-z][a-z ]{13}\S/)
  return { code, lines }
}

const notOk = (lines: readonly string[]): readonly string[] => lines.filter((line) => !line.startsWith('ok '))

describe('guildhall doctor', () => {
  it('has one line that is ok for each part of an instance that is well, and changes nothing', async () => {
    const before = (await site.events()).length
    const { code, lines } = await told()
    expect({ code, wrong: notOk(lines) }).toStrictEqual({ code: 0, wrong: [] })
    expect(lines.map((line) => line.slice(6, 20).trim())).toStrictEqual([
      'settings',
      'server',
      'postgres',
      'clock',
      'instance',
      'processes',
      'keys',
      'event store',
      'read models',
      'disk',
      'nats',
      'mail',
      'images',
      'scanner',
      'stores',
    ])
    expect(lines.join('\n')).toMatch(/^ok {4}postgres {6}version \d+/m)
    expect(await site.events()).toHaveLength(before)
    expect(await readdir(folder)).toStrictEqual([])
  })

  const closed = '127.0.0.1:1'
  it.each<readonly [Environment, string, RegExp]>([
    [
      { DATABASE_URL: `postgres://u:CANARY@${closed}/x` },
      'bad',
      /^postgres +DATABASE_URL: .+ECONNREFUSED.+\. Check DATABASE_URL/,
    ],
    [
      { PERSONAL_DATA_KEY: randomBytes(32).toString('base64') },
      'bad',
      /^keys +PERSONAL_DATA_KEY does not open .+\. Restore /,
    ],
    [{ PERSONAL_DATA_KEY: '' }, 'bad', /^keys +there is no .+personal-data\.key, and accounts have keys .+\. Restore /],
    [{ FILE_SCANNER: `clamd://${closed}` }, 'bad', /^scanner +.*can not be reached.*\. Check FILE_SCANNER/],
    [{ NATS_URL: `nats://u:CANARY@${closed}` }, 'bad', /^nats +.*refused.*\. Check NATS_URL/],
    [
      { SMTP_URL: `smtp://u:CANARY@${closed}`, MAIL_FROM: 'a@example.com' },
      'bad',
      /^mail +127\.0\.0\.1:1 cannot be used: ESOCKET\. Check SMTP_URL/,
    ],
    [{ MEDIA_URL: `http://k:CANARY@${closed}/b` }, 'bad', /^images +.+ECONNREFUSED.+\. Check MEDIA_URL/],
    [{ GEOIP_DATABASE: '/nowhere' }, 'bad', /^places +GEOIP_DATABASE \/nowhere cannot be read.+\. Set GEOIP_DATABASE/],
    [{ MEDIA_URL: 'foo' }, 'bad', /^settings +MEDIA_URL: must be a URL.+\. Change it/],
    [
      { INSTANCE_CONFIG: '{"registration":{"mode":"ajar"}}' },
      'bad',
      /^settings +INSTANCE_CONFIG: registration\.mode: /,
    ],
    [{ DATA_DIR: import.meta.filename }, 'bad', /^disk +DATA_DIR .+ is a file\. Set DATA_DIR/],
    [{ HOSTED: 'true' }, 'warn', /^stores +the instance is hosted and sells nothing\. Set STORE_A/],
    [{ HOSTED: 'true', STORE_SANDBOX: '{"everyone":true}' }, 'warn', /^stores +the instance is hosted/],
    [{ RATE_LIMITS: 'off' }, 'warn', /^settings +RATE_LIMITS is off.+\. Unset it/],
    [{ HTTP_HOST: '0.0.0.0' }, 'warn', /^settings +PUBLIC_URL is not set\. Set it/],
    [{ DATA_DIR: '/nowhere/at/all' }, 'warn', /^disk +.+ is not there yet\. /],
  ])('names what is wrong with %o, and what to do', async (environment, state, line) => {
    const { code, lines } = await told(environment)
    const wrong = notOk(lines).map((each) => [each.slice(0, 6).trim(), each.slice(6)])
    expect(wrong).toContainEqual([state, expect.stringMatching(line)])
    expect(code).toBe(wrong.some(([each]) => each === 'bad') ? 1 : 0)
    expect(wrong.some(([each]) => each === 'bad')).toBe(state === 'bad')
  })

  it('asks the server that runs what it lacks, and takes nothing else for one', async () => {
    const answers = [
      [200, '{"ready":true,"missing":[],"without":[]}', 'ok', 'it runs and is ready'],
      [200, '{"ready":true,"missing":[],"without":["nats"]}', 'warn', 'it runs without: nats'],
      [503, '{"ready":false,"missing":["disk"],"without":[]}', 'bad', 'it runs, and lacks: disk'],
      [200, '<html>', 'bad', 'something at '],
    ] as const
    let asked = 0
    const server = createServer((_request, response) => {
      const [status, body] = answers[asked] ?? answers[0]
      asked += 1
      response.writeHead(status).end(body)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const STATUS_PORT = String(typeof address === 'object' ? address?.port : 0)
    const settings = readSettings({ STATUS_PORT })
    for (const [, , state, text] of answers)
      expect(await checkServer(settings)).toMatchObject({ state, text: expect.stringContaining(text) })
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
    expect(await checkServer(settings)).toMatchObject({ state: 'ok', text: expect.stringMatching(/^stopped: /) })
  })

  it('warns of a key that others can read', async () => {
    const dataDir = await newFolder()
    await writeFile(
      path.join(dataDir, 'personal-data.key'),
      Buffer.from(site.store.personalDataKey).toString('base64'),
      {
        mode: 0o644,
      },
    )
    const { code, lines } = await told({ DATA_DIR: dataDir, PERSONAL_DATA_KEY: '' })
    expect(code).toBe(0)
    expect(notOk(lines)).toStrictEqual([expect.stringMatching(/others on this machine can read .+\. Run: chmod 600 /)])
    expect(lines).toContainEqual(expect.stringMatching(/^ok {4}keys .+personal-data\.key opens personal data/))
  })

  it('says where no instance is, and makes none', async () => {
    const empty = await testDatabase()
    onTestFinished(() => empty.close())
    const settings = { ...environmentOf(empty.connection, randomBytes(32)), DATA_DIR: folder }
    const { code, output } = await runHere(['doctor'], settings)
    expect(code).toBe(0)
    expect(output).toMatch(/^warn {2}instance {6}there is none in the database .+\. guildhall start makes one/m)
    const { rows } = await empty.database.pool.query(`select from pg_namespace where nspname = 'ledger'`)
    expect(rows).toHaveLength(0)
    const nowhere = await newFolder()
    const { output: said } = await runHere(['doctor'], { DATABASE_URL: '', DATA_DIR: nowhere })
    expect(said).toContain(`warn  instance      there is none in ${nowhere}`)
    expect(await readdir(nowhere)).toStrictEqual([])
  })

  it('stops before migrations that are due, refuses a newer database, and runs none', async () => {
    const other = await instance()
    onTestFinished(() => other.close())
    await other.rows('delete from ledger.migrations where number = (select max(number) from ledger.migrations)')
    const ran = await other.rows('select number from ledger.migrations')
    expect(notOk((await told({}, other)).lines)).toStrictEqual([
      'warn  instance      1 migrations are due. The next start runs them; then ask again',
    ])
    expect(await other.rows('select number from ledger.migrations')).toStrictEqual(ran)
    await other.rows(`insert into ledger.migrations (number, name, digest) values (999, 'later', 'x')`)
    const { code, lines } = await told({}, other)
    expect(code).toBe(1)
    expect(lines).toContainEqual(expect.stringMatching(/^bad {3}instance {6}The database belongs to a newer version/))
  })

  it('finds read models that nobody has built', async () => {
    const other = await instance(undefined, { withoutTables: true })
    onTestFinished(() => other.close())
    expect(notOk((await told({}, other)).lines)).toStrictEqual([
      'warn  read models   there are none yet. The next server that starts builds them',
    ])
  })

  it('finds a clock that is behind the newest id', async () => {
    const other = await instance()
    onTestFinished(() => other.close())
    const id = accountId(composeSnowflake(Date.now() + 3_600_000, 1))
    await happens(other.store.events, streamName('account', id), registered(1, { accountId: id }))
    await other.project()
    const { code, lines } = await told({}, other)
    expect(code).toBe(1)
    expect(notOk(lines)).toStrictEqual([
      expect.stringMatching(/^bad {3}clock .+ s behind the newest id\. Set it right/),
    ])
  })

  it('refuses a Postgres below 17, as every command and a start does', async () => {
    const old = await startOldPostgres('16.9')
    onTestFinished(() => old.close())
    const reason = 'it is Postgres 16.9, and Guildhall needs 17 or later'
    const { code, lines } = await told({ DATABASE_URL: old.url })
    expect(code).toBe(1)
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^bad {3}postgres .+ ${reason}`)))
    const starting = openPostgres({ databaseUrl: old.url, dataDir: folder }, { log: () => {}, onDeath: () => {} })
    await expect(starting).rejects.toThrow(reason)
    expect(await site.guildhall(['ip-bans'], { environment: { DATABASE_URL: old.url } })).toMatchObject({
      code: 1,
      said: expect.stringContaining(reason),
    })
  })

  it('says which Node is too old', () => {
    expect(checkProgram('24.0.0')).toMatchObject({ state: 'ok' })
    expect(checkProgram('22.20.0')).toMatchObject({ state: 'warn', advice: expect.stringContaining('Node 24') })
  })
})

describe('the stores of a hosted instance', () => {
  it('are reached or not, whatever they answer', async () => {
    const server = createServer((_request, response) => response.writeHead(401).end()).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    const settings = readSettings({ HOSTED: 'true', STORE_SANDBOX: '{"everyone":true}' })
    const storeA = { apiUrl: url, rootFingerprints: ['of another'] }
    const storeB = { apiUrl: url, tokenUrl: 'http://127.0.0.1:1' }
    // The rest of a set-up store is not asked for.
    const stores = { ...settings.stores, storeA, storeB } as unknown as typeof settings.stores
    expect((await checkStores({ ...settings, stores })).map(({ state, text }) => [state, text])).toStrictEqual([
      ['ok', expect.stringMatching(/^STORE_A: 127.0.0.1:\d+ can be reached$/)],
      ['ok', expect.stringMatching(/^STORE_B: 127.0.0.1:\d+ can be reached$/)],
      ['bad', expect.stringMatching(/^STORE_B: 127.0.0.1:1 cannot be reached/)],
      ['warn', 'STORE_A trusts root certificates of your own'],
      ['warn', 'sandbox purchases of everybody count'],
    ])
  })
})

describe.skipIf(natsIsMissing !== undefined)(natsSuite('guildhall doctor of many processes'), () => {
  it('finds EventStoreDB, NATS, the mail server and the storage well', async () => {
    const [double, nats, mail, storage] = await Promise.all([
      startEventStoreDouble(),
      startNatsServer(),
      startMailServer(),
      startObjectStorage(),
    ])
    onTestFinished(async () => {
      await double.stop()
      await nats.stop()
      await mail.close()
    })
    const other = await instance(undefined, { eventStoreUrl: double.url })
    onTestFinished(() => other.close())
    await person(other.store.events, 1)
    await other.project()
    const { code, lines } = await told(
      { NATS_URL: nats.url, SMTP_URL: mail.url, MAIL_FROM: 'a@example.com', MEDIA_URL: storage.url },
      other,
    )
    expect({ code, wrong: notOk(lines) }).toStrictEqual({ code: 0, wrong: [] })
    for (const line of [
      /event store +EventStoreDB, up to position/,
      /nats +version .+, with JetStream/,
      /mail +.+ takes mails/,
    ])
      expect(lines).toContainEqual(expect.stringMatching(line))
    expect(lines).toContainEqual(expect.stringMatching(/images +storage at .+ answers/))
  })
})
