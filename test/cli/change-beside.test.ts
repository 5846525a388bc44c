import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { natsIsMissing, natsSuite, startNatsServer, type NatsServer } from '../support/nats-server.ts'
import { laidDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../support/test-guildhall.ts'
import { runHere } from './support/command-here.ts'
import type { Ended } from './support/command-process.ts'
import { environmentOf } from './support/instance.ts'

const personalDataKey = randomBytes(32)
let database: TestDatabase
let api: TestGuildhall
const opened: { close(): Promise<unknown> }[] = []

function guildhall(...words: readonly string[]): Promise<Ended> {
  return runHere(words, environmentOf(database.connection, personalDataKey))
}

async function closeAll(): Promise<void> {
  for (const one of opened.splice(0).toReversed()) await one.close()
}

async function administration({ token }: TestAccount): Promise<number> {
  return (await api.request('GET', '/v1/admin/acls', { token })).status
}

/** Blocks writes to the read model of accounts, but not reads, until the returned function is called. */
async function holdAccounts(): Promise<() => Promise<void>> {
  const client = await database.database.pool.connect()
  await client.query('begin; lock table accounts.accounts in share mode')
  return async () => {
    await client.query('rollback')
    client.release()
  }
}

/** Resolves once the projecting process waits for the lock of `holdAccounts`. */
async function projectorWaits(): Promise<void> {
  const waiting = `select count(*)::int4 as count from pg_locks where not granted and relation = 'accounts.accounts'::regclass`
  await expect.poll(async () => (await database.database.pool.query(waiting)).rows).toStrictEqual([{ count: 1 }])
}

async function isHonouredOnceGranted(): Promise<void> {
  const ada = await api.register()
  expect(await administration(ada)).toBe(403)
  const release = await holdAccounts()
  const happened: string[] = []
  const granted = guildhall('admin', 'grant', ada.id, '*').finally(() => happened.push('returned'))
  await projectorWaits()
  // The server still has the earlier state in its cache.
  expect(await administration(ada)).toBe(403)
  happened.push('released')
  await release()
  expect(await granted).toStrictEqual({ code: 0, output: `Account ${ada.id} now holds: *\n`, said: '' })
  expect(await administration(ada)).toBe(200)
  expect(happened).toStrictEqual(['released', 'returned'])
}

describe('a command that writes beside a running server', () => {
  beforeAll(async () => {
    database = await laidDatabase()
    opened.push(database)
    api = await startTestGuildhall({
      connection: database.connection,
      personalDataKey,
      trustedProxies: ['127.0.0.1'],
    })
    opened.push(api)
  })
  afterAll(closeAll)

  it('returns only when the server applies what it wrote', isHonouredOnceGranted)

  it('says so if the server is late, but has still written', async () => {
    const brian = await api.register()
    const release = await holdAccounts()
    try {
      const { code, output } = await guildhall('admin', 'grant', brian.id, '*')
      expect({ code, lines: output.split('\n') }).toStrictEqual({
        code: 0,
        lines: [
          `Account ${brian.id} now holds: *`,
          expect.stringMatching(
            /^The running server has not taken this up within 10 s\. It is written, and counts as soon/,
          ),
          '',
        ],
      })
    } finally {
      await release()
    }
    await expect.poll(() => administration(brian)).toBe(200)
  })

  it('returns only when the addresses that it bans are refused', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    const discover = async (): Promise<number> =>
      (await api.request('GET', '/.well-known/guildhall', { headers })).status
    expect(await discover()).toBe(200)
    for (const [command, status] of [
      ['ban-ip', 403],
      ['unban-ip', 200],
    ] as const) {
      expect(await guildhall(command, '203.0.113.7')).toMatchObject({ code: 0 })
      expect(await discover()).toBe(status)
    }
  })

  it('does not wait if it was refused', async () => {
    const refused = await guildhall('admin', 'grant', '1', '*')
    expect(refused).toStrictEqual({ code: 1, output: '', said: 'There is no account 1\n' })
  })
})

describe.skipIf(natsIsMissing !== undefined)(natsSuite('a command that writes beside many processes'), () => {
  let nats: NatsServer

  beforeAll(async () => {
    nats = await startNatsServer()
    opened.push({ close: () => nats.stop() })
    database = await laidDatabase()
    opened.push(database)
    const shared = { connection: database.connection, personalDataKey, natsServers: [nats.url] }
    opened.push(await startTestGuildhall({ ...shared, roles: ['projector'] }))
    api = await startTestGuildhall({ ...shared, roles: ['api'] })
    opened.push(api)
  })
  afterAll(closeAll)

  it('returns only when each API applies what it wrote', isHonouredOnceGranted)
})
