import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gzipSync } from 'node:zlib'
import { operatorName } from '../../cli/operator/operator.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { found } from '../operations/support/answers.ts'
import { stillImage } from '../operations/support/pictures.ts'
import { deletionIsDue, erase } from '../operations/support/erasure.ts'
import { administrator, auditEntries } from '../support/administrators.ts'
import { startStoreA } from '../support/store-a/double.ts'
import { startStoreB } from '../support/store-b/double.ts'
import { testClock } from '../support/stores/test-clock.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { laidDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../support/test-guildhall.ts'
import type { Certificate, Proof } from '../../cli/proof/certificate.ts'
import { runHere } from './support/command-here.ts'
import type { Ended } from './support/command-process.ts'
import { fullLife } from './support/full-life.ts'
import { environmentOf } from './support/instance.ts'

const personalDataKey = randomBytes(32)
let database: TestDatabase
let server: TestGuildhall
let root: TestAccount
let dataDir: string
let storeB: Awaited<ReturnType<typeof startStoreB>>
const closings: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'gh-erase-'))
  database = await laidDatabase()
  const clock = testClock()
  storeB = await startStoreB({ clock })
  const stores = { storeA: await startStoreA({ clock }), storeB, answer_ms: 500 }
  closings.push(
    () => stores.storeA.close(),
    () => storeB.close(),
  )
  server = await startTestGuildhall({
    connection: database.connection,
    personalDataKey,
    dataDir,
    stores,
    looks_ms: 100,
  })
  root = await administrator(server, '*')
})
afterAll(async () => {
  await server.close()
  for (const close of closings) await close()
  await database.close()
  await rm(dataDir, { recursive: true })
})

const guildhall = (...words: readonly string[]): Promise<Ended> =>
  runHere(words, { ...environmentOf(database.connection, personalDataKey), DATA_DIR: dataDir })

const proofIn = (certificate: string): Proof => (JSON.parse(certificate) as Certificate).proof

/** An account that says one thing of itself, erased as a worker does at a deadline. */
async function erasedAtDeadline(): Promise<{
  readonly ada: TestAccount
  readonly mark: string
  readonly avatar: Buffer
}> {
  const mark = `canary${randomBytes(6).toString('hex')}`
  const ada = await server.register()
  const image = await stillImage(`#${mark.slice(-6)}`)
  const body = { bio: `I am "${mark}"`, avatar: image }
  const { status, body: user } = await server.request('PATCH', '/v1/users/@me', { token: ada.token, body })
  expect(status).toBe(200)
  const hash = String(Reflect.get(Object(user), 'avatar'))
  const avatar = await readFile(path.join(dataDir, 'media', 'avatars', ada.id, `${hash}.webp`))
  await deletionIsDue(server, ada)
  expect(await erase(server, ada)).toBe(true)
  return { ada, mark, avatar }
}

describe('guildhall erase', () => {
  it('erases an account with a full life at once, and proves that nothing of it is left', async () => {
    const { token: purchase_token, productId: product_id } = storeB.sell({ productId: 'premium' })
    const { ada, mark } = await fullLife(server, root, { purchase_token, product_id })
    const certificate = path.join(await temporaryFolder('certificate'), 'certificate.json')
    const { code, output, said } = await guildhall('erase', ada.id, '--prove', '--to', certificate)
    expect(said).toContain(`Account ${ada.id} is erased.`)
    expect(said).toContain('Nothing is left.')
    expect([code, output]).toEqual([0, ''])
    const text = await readFile(certificate, 'utf8')
    for (const value of [mark, ada.email, '1987-03-19', '203.0.113.77', purchase_token])
      expect([text, said].join()).not.toContain(value)
    const { account, found, keyIsDestroyed, lookedFor, lookedThrough, keptByRule } = proofIn(text)
    expect({ account, found, keyIsDestroyed }).toEqual({
      account: ada.id,
      found: { places: 0, first: [] },
      keyIsDestroyed: true,
    })
    expect(lookedFor.values.map(({ kind }) => kind)).toEqual(expect.arrayContaining(everyKind))
    expect(lookedFor.images).toBeGreaterThan(0)
    expect(lookedFor.runningPurchases).toBe(1)
    expect(lookedThrough.tables.map(({ table }) => table)).toEqual(expect.arrayContaining(someTables))
    expect(lookedThrough.events.count).toBeGreaterThan(50)
    expect(lookedThrough.unsentMails.count).toBeGreaterThan(0)
    expect(new Set(keptByRule.map(({ rule }) => rule.split(':')[0]))).toEqual(
      new Set(['rules/users#erasure', 'rules/messages#erased-authors']),
    )
    expect(await guildhall('erase', '--check', certificate)).toMatchObject({ code: 0 })
  })

  it('leaves read models that a replay makes again, row by row', async () => {
    expect(await guildhall('verify')).toMatchObject({ code: 0 })
    expect(await guildhall('replay')).toMatchObject({ code: 0 })
    expect(await guildhall('verify')).toMatchObject({ code: 0 })
  })

  it('records that an account was erased and that this was proved, in two entries', async () => {
    const { id } = await server.register()
    expect(await guildhall('erase', id)).toMatchObject({ code: 0, output: '' })
    expect(await guildhall('erase', id, '--prove')).toMatchObject({ code: 0 })
    const entries = (await auditEntries(server)).filter(({ targetId }) => targetId === id)
    expect(entries).toMatchObject([
      { action: 'erase_account', adminId: '0', metadata: { operator: operatorName() } },
      { action: 'prove_erasure', adminId: '0', metadata: { operator: operatorName(), found_places: '0' } },
    ])
  })

  it('proves an erasure at its deadline as well, once: then what was noted is gone', async () => {
    const { ada } = await erasedAtDeadline()
    const { code, output } = await guildhall('erase', ada.id, '--prove')
    expect([code, proofIn(output).found.places]).toEqual([0, 0])
    const noted = 'select from erasure_notes.notes where account_id = $1'
    expect((await server.store.database.pool.query(noted, [ada.id])).rows).toEqual([])
    expect(await guildhall('erase', ada.id, '--prove')).toMatchObject({
      code: 1,
      said: expect.stringContaining('Nothing was noted'),
    })
  })

  it('finds what is left in a table, an event, a job, a stored file or a log, and says where and not what', async () => {
    const { ada, mark, avatar } = await erasedAtDeadline()
    const { pool } = server.store.database
    const text = `I am "${mark}"`
    await pool.query('create table public.forgotten (id int primary key, note jsonb)')
    await pool.query('insert into public.forgotten values (7, $1)', [JSON.stringify({ said: [text] })])
    const guild = await found(server, root, `The guild of ${ada.email}`)
    const sealed = Buffer.from(JSON.stringify({ at: 1, text }), 'utf8').toString('base64')
    const runAt = timestamp(Date.now() + 3_600_000)
    await server.ports.jobs.add('store_notification', { sealed, id: 'planted', failures: 0 }, { runAt })
    const icons = path.join(dataDir, 'media', 'icons', '1')
    await mkdir(icons, { recursive: true })
    await writeFile(path.join(icons, 'copied.webp'), avatar)
    await writeFile(path.join(icons, 'noted.txt'), `sent to ${encodeURIComponent(ada.email)}`)
    await writeFile(path.join(icons, `of ${ada.email}.txt`), '')
    // Where one piece of what is read ends and the next begins.
    await writeFile(path.join(icons, 'long.txt'), `${'x'.repeat(65_531)} ${ada.email} ${'x'.repeat(70_000)}`)
    const logs = await temporaryFolder('logs')
    await writeFile(path.join(logs, 'server.log.gz'), gzipSync(`a line\nregistered ${ada.email}\n`))
    const { code, output, said } = await guildhall('erase', ada.id, '--prove', '--logs', logs)
    const places = proofIn(output).found.first.map(({ where }) => where)
    expect(code).toBe(1)
    expect([output, said].join()).not.toContain(mark)
    expect([output, said].join()).not.toContain(ada.email)
    expect(places).toEqual(
      expect.arrayContaining([
        'tables: public.forgotten id 7, column note',
        expect.stringMatching(`^events: guild-${guild.id} @\\d+$`),
        expect.stringMatching(/^tables: job_queue\._private_jobs id \d+, column payload$/),
        'files: icons/1/copied.webp',
        'files: icons/1/noted.txt',
        'files: icons/1/long.txt',
        'files: icons/1/<a value>',
        `logs: ${path.join(logs, 'server.log.gz')}`,
      ]),
    )
    await pool.query('drop table public.forgotten')
    await rm(icons, { recursive: true })
    // It was noted until nothing is left.
    const again = proofIn((await guildhall('erase', ada.id, '--prove')).output)
    expect(again.found.places).toBeLessThan(places.length)
    expect(again.found.first.map(({ where }) => where)).not.toContain('files: icons/1/copied.webp')
  })

  it('finds what a key that was not destroyed still opens', async () => {
    const { pool } = server.store.database
    const ada = await server.register()
    const [{ key }] = (
      await pool.query('select wrapped_key as key from personal_data.keys where account_id = $1', [ada.id])
    ).rows as [{ readonly key: Buffer }]
    await deletionIsDue(server, ada)
    expect(await erase(server, ada)).toBe(true)
    const putBack = 'update personal_data.keys set wrapped_key = $2, destroyed_at = null where account_id = $1'
    await pool.query(putBack, [ada.id, key])
    const { code, output } = await guildhall('erase', ada.id, '--prove')
    const { keyIsDestroyed, found: places } = proofIn(output)
    expect([code, keyIsDestroyed]).toEqual([1, false])
    expect(places.first).toContainEqual({
      kind: 'account.email',
      encoding: 'sealed, with a key that still opens it',
      where: `events: account-${ada.id} @0`,
    })
  })

  it('refuses a certificate that was changed, and one of another instance', async () => {
    const { ada } = await erasedAtDeadline()
    const certificate = (await guildhall('erase', ada.id, '--prove')).output
    const file = path.join(await temporaryFolder('certificate'), 'certificate.json')
    const check = async (text: string, key = personalDataKey): Promise<Ended> => {
      await writeFile(file, text)
      return runHere(['erase', '--check', file], { PERSONAL_DATA_KEY: Buffer.from(key).toString('base64') })
    }
    expect(await check(certificate)).toMatchObject({ code: 0 })
    expect(await check(JSON.stringify(JSON.parse(certificate)))).toMatchObject({ code: 0 })
    const changed = { code: 1, said: 'The certificate was changed after it was signed\n' }
    expect(await check(certificate.replace(ada.id, root.id))).toMatchObject(changed)
    expect(await check(certificate.replace('"places": 0', '"places": 1'))).toMatchObject(changed)
    expect(await check(certificate, randomBytes(32))).toMatchObject({
      code: 1,
      said: expect.stringContaining('Another instance'),
    })
    expect(await check('{}')).toMatchObject({ code: 1, said: expect.stringContaining('no certificate') })
  })

  it('refuses an account that does not exist, and wishes that do not go together', async () => {
    for (const words of [['1'], [], ['1', '--to', 'x'], ['1', '--prove', '--to', dataDir]])
      expect(await guildhall('erase', ...words)).toMatchObject({ code: 1, output: '' })
  })
})

/** What a full life leaves, by category and member. */
const everyKind = [
  'account.username',
  'account.email',
  'account.dateOfBirth',
  'account.ip',
  'account.userAgent',
  'account.changes',
  'account.passwordHash',
  'membership.textsAfter',
  'membership.timeoutReason',
  'membership.reason',
  'relationship.nickname',
  'private_channel.name',
  'report.additionalInfo',
  'report.publicComment',
  'report.messages',
  'email_address.reason',
  'admin_audit.personalMetadata',
  'user_settings.customStatus',
  'notes.content',
]

const someTables = [
  'accounts.accounts',
  'event_store.snapshots',
  'mail.outbox',
  'tickets.tickets',
  'job_queue._private_jobs',
  'history.events',
  'archives.archives',
]
