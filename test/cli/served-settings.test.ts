import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, register } from '../support/load-api.js'
import { startProduct } from '../support/product-process.js'
import { laidDatabase, type TestDatabase } from '../support/test-database.js'
import { runHere } from './support/command-here.js'
import { environmentOf } from './support/instance.js'

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
  })
})
