import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, register } from '../support/load-api.ts'
import { startProduct } from '../support/product-process.ts'
import { laidDatabase, type TestDatabase } from '../support/test-database.ts'
import { runHere } from './support/command-here.ts'
import { environmentOf } from './support/instance.ts'

const storeB = {
  client_email: 'service@example.com',
  private_key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
  packages: ['example.chat'],
  products: { gift: 'gift_1_month' },
  push: { audience: 'https://chat.example.com', email: 'push@example.com' },
}

let database: TestDatabase
let folder: string
let settings: Record<string, string>

beforeAll(async () => {
  database = await laidDatabase()
  folder = await mkdtemp(path.join(tmpdir(), 'gh-served-'))
  settings = { ...environmentOf(database.connection, randomBytes(32)), STATUS_PORT: '0', DATA_DIR: folder }
  const served = {
    PUBLIC_URL: 'https://chat.example',
    WEBAPP_URL: 'https://app.example',
    SERVICE_NAME: 'parlour',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'chat@example.com',
    HOSTED: 'true',
    INSTANCE_CONFIG: '{"discovery":{"min_member_count":17},"sso":{"client_secret":"a secret of the provider"}}',
    TRUSTED_PROXIES: '203.0.113.9',
    STORE_B: JSON.stringify(storeB),
    MEDIA_URL: 'http://key:secret@127.0.0.1:1/bucket',
  }
  const server = await startProduct({ dataDir: folder, environment: { ...settings, ...served } })
  await call(server.url, register('ada'))
  await server.stop()
})
afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

describe('a command without the settings of the server', () => {
  it('prints addresses that people can open', async () => {
    const { output } = await runHere(['registration-url', 'create'], settings)
    expect(output).toMatch(/^Registration URL \d+: https:\/\/app\.example\/register#code=/)
  })

  it('leaves mails to the mail server of the server, with its name and addresses', async () => {
    const words = ['user', 'ban', 'ada@example.com', '--hours', '2']
    const { output: foretold } = await runHere([...words, '--dry-run'], settings)
    expect(foretold).toContain('parlour')
    expect(await runHere(words, settings)).toMatchObject({ code: 0 })
    const { rows } = await database.database.pool.query(`select state from mail.outbox order by id desc limit 1`)
    expect(rows).toStrictEqual([{ state: 'waiting' }])
  })

  it('shows the instance as it is served', async () => {
    const { output } = await runHere(['instance'], settings)
    expect(output).toContain('effective_provider="smtp"')
    expect(output).toContain('discovery.min_member_count=17')
  })

  it('bans no proxy of the server', async () => {
    const { code, said } = await runHere(['ban-ip', '203.0.113.9'], settings)
    expect(code).toBe(1)
    expect(said).toContain('203.0.113.9 is private or a trusted proxy')
  })

  it('refuses what needs secrets of it', async () => {
    const { code, said } = await runHere(['store', 'reconcile', '--dry-run'], settings)
    expect(code).toBe(1)
    expect(said).toContain('The server has STORE_B, and this command does not')
  })

  it.each([
    ['', 'media'],
    ['http://key:secret@127.0.0.1:1/other', 'http://127.0.0.1:1/other'],
  ])('backs up no images of another place: MEDIA_URL=%s', async (MEDIA_URL, place) => {
    const { code, said } = await runHere(['backup', path.join(folder, 'backup')], { ...settings, MEDIA_URL })
    expect(code).toBe(1)
    expect(said).toContain(
      `The server keeps images in http://127.0.0.1:1/bucket, and this command would read ${MEDIA_URL === '' ? path.join(folder, place) : place}: set DATA_DIR and MEDIA_URL`,
    )
  })

  it('reaches the images of the server with other credentials', async () => {
    const own = { MEDIA_URL: 'http://reader:another@127.0.0.1:1/bucket' }
    const { code, said } = await runHere(['backup', path.join(folder, 'backup')], { ...settings, ...own })
    expect(code).toBe(1)
    expect(said).toContain('object storage can not be reached')
  })
})

describe('what the server notes of its settings', () => {
  it('has no secret in the clear', async () => {
    const { rows } = await database.database.pool.query<{ readonly row: string }>(
      `select s::text || coalesce(encode(s.more, 'escape'), '') as row from served.settings s`,
    )
    expect(rows).toHaveLength(1)
    for (const secret of ['a secret of the provider', 'client_secret', 'key:secret', 'PRIVATE KEY'])
      expect(rows[0]?.row).not.toContain(secret)
  })
})
