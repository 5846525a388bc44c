import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { laidDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestGuildhall, type TestGuildhall } from '../support/test-guildhall.ts'
import { runHere } from './support/command-here.ts'
import type { Ended } from './support/command-process.ts'
import { environmentOf } from './support/instance.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const personalDataKey = randomBytes(32)
let laid: TestDatabase
let guildhall: TestGuildhall
let folder: string

beforeAll(async () => {
  laid = await laidDatabase()
  guildhall = await startTestGuildhall({ rateLimits: true, connection: laid.connection, personalDataKey })
})
afterAll(async () => {
  await guildhall.close()
  await laid.close()
})
beforeEach(async () => {
  folder = await temporaryFolder('demo')
})

const play = (): Promise<Ended> =>
  runHere(['demo'], {
    ...environmentOf(laid.connection, personalDataKey),
    PUBLIC_URL: guildhall.url,
    DATA_DIR: folder,
  })

describe('the story of the demo', () => {
  it('plays five times in a row, although an address may register three accounts an hour', async () => {
    for (let run = 1; run <= 5; run += 1) {
      const { code, output, said } = await play()
      expect({ run, code, said }).toStrictEqual({ run, code: 0, said: '' })
      expect(output).toContain(run === 1 ? 'POST /v1/auth/register' : 'POST /v1/auth/login')
      expect(output.trimEnd()).toMatch(/audit entry\.$/)
    }
  })

  it('ends with the reason if its accounts cannot be read, and says how to go on', async () => {
    const file = path.join(folder, 'demo-accounts.json')
    await writeFile(file, 'nonsense')
    const { code, said } = await play()
    expect({ code, said }).toStrictEqual({
      code: 1,
      said: `${file} can't be read: delete it, and the story registers new accounts\n`,
    })
    expect(await readFile(file, 'utf8')).toBe('nonsense')
  })
})
