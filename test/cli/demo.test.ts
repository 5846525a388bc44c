import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { gatewayClient } from '../../cli/demo/gateway-client.ts'
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

describe('a session of the story', () => {
  const ready = { op: 0, t: 'READY', s: 1, d: { session_id: 'a' } }
  const silent = { add: () => undefined, chapter: () => undefined }
  let server: WebSocketServer
  let url: string
  beforeEach(async () => {
    server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await once(server, 'listening')
    url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => {
    server.close()
  })

  const serve = (...frames: readonly string[]): void => {
    server.on('connection', (socket) => {
      for (const frame of frames) socket.send(frame)
    })
  }

  it('takes frames without d', async () => {
    serve(JSON.stringify({ op: 11 }), JSON.stringify(ready))
    const session = await gatewayClient(url, 'token', 'Ada', silent)
    session.close()
  })

  it('takes the list of sessions, which another session of the account may cause at any time', async () => {
    const create = { op: 0, t: 'GUILD_CREATE', s: 3, d: { properties: { name: 'Home' }, member_count: 1 } }
    const sessions = { op: 0, t: 'SESSIONS_REPLACE', s: 2, d: [{ session_id: 'a' }] }
    serve(...[ready, sessions, create].map((frame) => JSON.stringify(frame)))
    const shown: string[] = []
    const session = await gatewayClient(url, 'token', 'Ada', {
      ...silent,
      add: (_kind, _who, text) => void shown.push(text),
    })
    expect(await session.waitFor('GUILD_CREATE')).toStrictEqual(create.d)
    expect(shown).toStrictEqual(['READY s=1 session_id=a', 'SESSIONS_REPLACE s=2', 'GUILD_CREATE s=3 Home, 1 members'])
    session.close()
  })

  it('fails at once, for every dispatch that is waited for, when a frame cannot be read', async () => {
    serve(JSON.stringify(ready), 'nonsense')
    const session = await gatewayClient(url, 'token', 'Ada', silent)
    await expect(session.waitFor('GUILD_CREATE')).rejects.toThrow("Ada can't read what the Gateway sends")
    await expect(session.waitFor('GUILD_DELETE')).rejects.toThrow("Ada can't read what the Gateway sends")
    session.close()
  })
})
