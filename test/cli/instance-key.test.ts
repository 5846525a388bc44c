import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noteInstanceKey, OtherPersonalDataKey } from '../../adapters/personal-data/instance-key.ts'
import { openDatabase } from '../../adapters/postgres/database.ts'
import { connectionUrl } from '../support/cluster/start-cluster.ts'
import { call, register } from '../support/load-api.ts'
import { startProduct } from '../support/product-process.ts'
import { laidDatabase, migratedDatabase, type TestDatabase } from '../support/test-database.ts'
import { runHere } from './support/command-here.ts'

const newKey = () => randomBytes(32).toString('base64')
const newFolder = () => mkdtemp(path.join(tmpdir(), 'guildhall-key-'))

describe('an instance whose accounts have keys', () => {
  let database: TestDatabase
  const key = newKey()
  const settings = (more: Readonly<Record<string, string>>) => ({
    DATABASE_URL: connectionUrl(database.connection),
    STATUS_PORT: '0',
    ...more,
  })

  beforeAll(async () => {
    database = await laidDatabase()
    const environment = settings({ PERSONAL_DATA_KEY: key })
    const first = await startProduct({ dataDir: await newFolder(), environment })
    await call(first.url, register('ada'))
    await first.stop()
  })
  afterAll(() => database.close())

  it('is not served without its key: the start says what doctor says, and makes none', async () => {
    const dataDir = await newFolder()
    const refused = startProduct({ dataDir, environment: settings({}) })
    await expect(refused).rejects.toThrow(
      /There is no .+personal-data\.key, and accounts have keys that it opens\. Restore /,
    )
    expect(existsSync(path.join(dataDir, 'personal-data.key'))).toBe(false)
    const { output } = await runHere(['doctor'], settings({ DATA_DIR: dataDir }))
    expect(output).toMatch(/^bad {3}keys +there is no .+, and accounts have keys that it opens\. Restore /m)
  })

  it('is not served with another key, nor does a command work on it', async () => {
    const other = settings({ PERSONAL_DATA_KEY: newKey() })
    const said = /PERSONAL_DATA_KEY does not open personal data: it is not the key of this instance\. Restore /
    await expect(startProduct({ dataDir: await newFolder(), environment: other })).rejects.toThrow(said)
    const { code, said: complaint } = await runHere(['user', 'show', 'ada@example.com'], other)
    expect([code, complaint]).toEqual([1, expect.stringMatching(said)])
  })

  it('is served with its key as before, and the log names what doctor calls bad and a server can do without', async () => {
    const SMTP_URL = 'smtp://127.0.0.1:1'
    const environment = settings({ PERSONAL_DATA_KEY: key, SMTP_URL, MAIL_FROM: 'chat@example.com' })
    const changing = openDatabase(database.connection, { connections_max: 1 })
    await changing.pool.query(
      `insert into read_models.parked values ('accounts', 'account-7', 1, gen_random_uuid(), 'X', 'decode', 'unreadable')`,
    )
    await changing.close()
    const again = await startProduct({ dataDir: await newFolder(), environment })
    expect((await fetch(`${again.url}/_health`)).status).toBe(200)
    await expect
      .poll(() => again.lines.filter((line) => line.includes('"part":"mail"')))
      .toEqual([expect.stringMatching(/"advice":"Check SMTP_URL.+cannot be used/)])
    await expect
      .poll(() => again.lines.filter((line) => line.includes('"part":"read models"')))
      .toEqual([expect.stringMatching(/StreamParked.+accounts has stopped 1 streams/)])
    await again.stop()
  })
})

describe('an instance that begins', () => {
  it('has one key, also where two processes begin it at once with different ones', async () => {
    const test = await migratedDatabase()
    const processes = [1, 2].map(() => openDatabase(test.connection, { connections_max: 1 }))
    const outcomes = await Promise.all(
      processes.map((each) =>
        noteInstanceKey(each, randomBytes(32)).then(
          () => 'noted',
          (error: unknown) => (error instanceof OtherPersonalDataKey ? 'refused' : String(error)),
        ),
      ),
    )
    expect(outcomes.toSorted()).toEqual(['noted', 'refused'])
    for (const each of processes) await each.close()
    await test.close()
  })
})
