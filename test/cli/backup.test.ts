import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { manifestLine } from '../../cli/backup/format.ts'
import { readModels } from '../../projections/read-models.ts'
import { startObjectStorage } from '../adapters/media/support/object-storage.ts'
import { bodyOf } from '../operations/support/answers.ts'
import { sent } from '../operations/support/messages.ts'
import { stillImage } from '../operations/support/pictures.ts'
import { layPostgres } from '../support/lay-postgres.ts'
import { startProduct } from '../support/product-process.ts'
import { requestsTo, type TestGuildhall } from '../support/test-guildhall.ts'
import { run } from './support/command-process.ts'
import { runHere } from './support/command-here.ts'
import {
  emptyPlace,
  eventStoreOfTest,
  placeOfTest,
  placeKey,
  playScene,
  seenBy,
  signsIn,
  type BackupScene,
  type Place,
} from './support/backup-scene.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder: string
let backup: string
beforeEach(async () => {
  folder = await temporaryFolder('backup')
  backup = path.join(folder, 'backup')
})

interface Played {
  readonly source: Place
  readonly server: TestGuildhall
  readonly scene: BackupScene
}

async function played(source: Place): Promise<Played> {
  const server = await source.serve()
  return { source, server, scene: await playScene(server) }
}

/** An instance on Postgres and files, whose server runs. Every test may back it up, and write to it. */
let shared: Played
beforeAll(async () => {
  shared = await played(await emptyPlace({ isLaid: true }))
})
afterAll(() => shared.source.close())

const onOthers = async () => ({ ...(await eventStoreOfTest()), mediaUrl: (await startObjectStorage()).url })
const layouts = [
  ['Postgres and files', async () => shared, async () => ({})],
  [
    'EventStoreDB and S3-compatible storage',
    async () => played(await placeOfTest({ ...(await onOthers()), isLaid: true })),
    onOthers,
  ],
] as const

describe.each(layouts)('an instance on %s', (_, sourceOf, optionsOf) => {
  it('is backed up beside its server, and restored whole into a place of the same layout', async () => {
    const { source, server, scene } = await sourceOf()
    const before = await seenBy(server, scene)
    const done = await source.guildhall('backup', backup)
    expect(done.said).toMatch(/Backed up \d+ events, 3 keys, \d+ messages and 3 images, as of/)
    expect(done).toMatchObject({ code: 0, output: '' })
    // What comes later is not in it.
    await sent(server, scene.ada, scene.guild.channel, 'After the backup')

    const target = await placeOfTest(await optionsOf())
    const restored = await target.guildhall('restore', backup)
    expect(restored.output).toContain(`All ${readModels.length} read models equal what history makes of them`)
    expect(restored.code).toBe(0)
    const again = await target.serve()
    expect(await seenBy(again, scene)).toStrictEqual(before)
    expect(await signsIn(again, scene.brian)).toBe(200)
    expect(await signsIn(again, scene.erased)).not.toBe(200)
    await sent(again, scene.ada, scene.guild.channel, 'After the restore')
    expect(await target.guildhall('verify')).toMatchObject({ code: 0 })
  })
})

describe('a backup with another DATA_DIR than that of the server', () => {
  it('is refused, because it would be without images', async () => {
    const environment = { ...shared.source.environment, DATA_DIR: folder }
    expect(await runHere(['backup', backup], environment)).toMatchObject({
      code: 1,
      said: expect.stringContaining(
        `The server keeps images in ${path.join(shared.source.dataDir, 'media')}, and this command would read ${path.join(folder, 'media')}`,
      ),
    })
    expect(existsSync(backup)).toBe(false)
  })
})

describe('an instance on the embedded Postgres', () => {
  it('is backed up beside its server, and restored into an empty folder with its key', async () => {
    const [home, away] = [path.join(folder, 'home'), path.join(folder, 'away')]
    const settings = (dataDir: string) => ({
      DATABASE_URL: '',
      PERSONAL_DATA_KEY: '',
      MEDIA_URL: '',
      DATA_DIR: dataDir,
    })
    await mkdir(home)
    await layPostgres(path.join(home, 'postgres'))
    const server = await startProduct({ dataDir: home })
    onTestFinished(() => server.stop())
    const body = {
      email: 'ada@example.com',
      username: 'ada',
      password: 'correct horse battery',
      date_of_birth: '1990-12-10',
      consent: true,
    }
    const request = requestsTo(server.url)
    const { token } = z.object({ token: z.string() }).parse((await request('POST', '/v1/auth/register', { body })).body)
    const avatar = { avatar: await stillImage() }
    const me = bodyOf(await request('PATCH', '/v1/users/@me', { token, body: avatar }))
    const beside = await runHere(['doctor'], { ...settings(home), STATUS_PORT: new URL(server.statusUrl).port })
    expect(beside).toMatchObject({ code: 0, output: expect.stringMatching(/^ok {4}server +it runs and is ready$/m) })
    expect(beside.output).toMatch(/^ok {4}postgres +the embedded one, version /m)
    const done = await run(['backup', backup], settings(home))
    expect(done.said).toContain(`store ${path.join(home, 'personal-data.key')} elsewhere`)
    expect(done.code).toBe(0)

    const lacking = await runHere(['restore', backup], settings(away))
    expect(lacking.said).toContain(`put that instance's personal-data.key into ${away}`)
    expect(existsSync(away)).toBe(false)
    await mkdir(away)
    await cp(path.join(home, 'personal-data.key'), path.join(away, 'personal-data.key'))
    const restored = await run(['restore', backup], settings(away))
    expect(restored.output).toContain('read models equal what history makes of them')
    expect(restored.code).toBe(0)
    // Not over the instance that is there now, and not over the one that runs.
    for (const dataDir of [away, home]) {
      const refused = await runHere(['restore', backup], settings(dataDir))
      expect(refused).toMatchObject({ code: 1, output: '' })
      expect(refused.said).toContain(`There is an instance in ${dataDir} already`)
    }
    const stopped = await runHere(['doctor'], settings(away))
    expect(stopped).toMatchObject({ code: 0, output: expect.stringContaining('started for this check, version ') })
    expect(stopped.output).toMatch(/^ok {4}keys .+personal-data\.key opens personal data/m)
    const second = await startProduct({ dataDir: away })
    onTestFinished(() => second.stop())
    const there = requestsTo(second.url)
    expect((await there('GET', '/v1/users/@me', { token })).body).toMatchObject({ id: me['id'], avatar: me['avatar'] })
    expect((await fetch(`${second.url}/media/avatars/${String(me['id'])}/${String(me['avatar'])}`)).status).toBe(200)
    const { email, password } = body
    expect((await there('POST', '/v1/auth/login', { body: { email, password } })).status).toBe(200)
  })
})

describe('a backup', () => {
  it('of one layout is restored into another', async () => {
    const { source, server, scene } = shared
    const { auditLog: _, ...before } = await seenBy(server, scene)
    expect(await source.guildhall('backup', backup)).toMatchObject({ code: 0 })
    const target = await placeOfTest(await eventStoreOfTest())
    expect(await target.guildhall('restore', backup)).toMatchObject({ code: 0 })
    const again = await target.serve()
    expect(await seenBy(again, scene)).toMatchObject(before)
    // Followers continue with the events after those of the backup, at the positions of this store.
    const positions = await target.rows('select position from followers.checkpoints')
    const end = await again.store.events.end()
    expect(positions.length).toBeGreaterThan(0)
    for (const { position } of positions) expect(BigInt(String(position))).toBeLessThanOrEqual(end)
  })

  it('of a restored instance is the same backup: the same rows, events, keys and images', async () => {
    expect(await shared.source.guildhall('backup', backup)).toMatchObject({ code: 0 })
    const target = await placeOfTest()
    expect(await target.guildhall('restore', backup)).toMatchObject({ code: 0 })
    const second = path.join(folder, 'second')
    expect(await target.guildhall('backup', second)).toMatchObject({ code: 0 })
    const [one, other] = await Promise.all([backup, second].map(manifestOf))
    expect({ ...other, id: '', takenAt: '' }).toStrictEqual({ ...one, id: '', takenAt: '' })
  })

  it('is for nobody else to read, holds no PERSONAL_DATA_KEY, and says so', async () => {
    const source = await placeOfTest({ isLaid: true })
    await (await source.serve()).register()
    const { said } = await source.guildhall('backup', backup)
    expect(said).toContain('PERSONAL_DATA_KEY is not in it, and nothing can be restored without')
    expect((await stat(backup)).mode & 0o777).toBe(0o700)
    const files = (await readdir(backup)).toSorted()
    expect(files).toStrictEqual(['history.jsonl', 'images.jsonl', 'manifest.json', 'tables.jsonl'])
    for (const file of files) {
      expect((await stat(path.join(backup, file))).mode & 0o777).toBe(0o600)
      const text = await readFile(path.join(backup, file), 'utf8')
      expect(text).not.toContain(Buffer.from(placeKey).toString('base64'))
    }
  })

  it('holds PERSONAL_DATA_KEY with --with-key, and a restore puts it where a server finds it', async () => {
    const { source, scene } = shared
    expect(await source.guildhall('backup', backup, '--with-key')).toMatchObject({ code: 0 })
    const target = await placeOfTest()
    const withoutKey = { ...target.environment, PERSONAL_DATA_KEY: '' }
    expect(await runHere(['restore', backup], withoutKey)).toMatchObject({ code: 0 })
    const key = path.join(target.dataDir, 'personal-data.key')
    expect(Buffer.from(await readFile(key, 'utf8'), 'base64')).toStrictEqual(placeKey)
    expect((await stat(key)).mode & 0o777).toBe(0o600)
    expect(await signsIn(await target.serve(), scene.ada)).toBe(200)
  })

  it('changes no folder that has something in it, and leaves no part of itself', async () => {
    const { source } = shared
    expect(await source.guildhall('backup', backup)).toMatchObject({ code: 0 })
    const refused = await source.guildhall('backup', backup)
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.said).toContain('exists already: name another folder, or an empty one')
    const away = await source.guildhall('backup', path.join(folder, 'none', 'backup'))
    expect(away.said).toContain("can't be written: no such file or directory")
    expect(await readdir(folder)).toStrictEqual(['backup'])
  })
})

async function manifestOf(where: string) {
  const [line = ''] = (await readFile(path.join(where, 'manifest.json'), 'utf8')).split('\n')
  return manifestLine.parse(JSON.parse(line))
}
