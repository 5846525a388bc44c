import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LetterOf } from '../../application/ports/mail.js'
import type { Role } from '../../cli/roles/role.js'
import { accountId } from '../../domain/ids/ids.js'
import { snowflake } from '../../domain/ids/snowflake.js'
import { natsIsMissing, natsSuite, startNatsServer } from '../support/nats-server.js'
import { testDatabase } from '../support/test-database.js'
import { startTestGuildhall, type TestGuildhall } from '../support/test-guildhall.js'

/** What only those need who carry out commands, by the Postgres schema in which it stands. */
const ofCommands = ['admission', 'ids', 'mail', 'rate_limits', 'session_activity', 'tickets']
const letter: LetterOf<'password_reset'> = {
  accountId: accountId(snowflake('1')),
  to: 'ada@example.com',
  template: 'password_reset',
  values: { username: 'ada', token: 'TOKEN' },
  locale: 'en-US',
  key: 'one',
}
const settings = {
  natsServers: [] as string[],
  personalDataKey: randomBytes(32),
  rateLimits: true,
  withMailServer: true,
}

describe.skipIf(natsIsMissing !== undefined)(natsSuite('a role opens only what it uses'), () => {
  const opened: TestGuildhall[] = []
  const stops: (() => Promise<void>)[] = []
  let database: Awaited<ReturnType<typeof testDatabase>>

  beforeAll(async () => {
    const nats = await startNatsServer()
    stops.push(() => nats.stop())
    database = await testDatabase()
    stops.push(() => database.close())
    settings.natsServers = [nats.url]
  })
  afterAll(async () => {
    for (const guildhall of opened.toReversed()) await guildhall.close()
    for (const stop of stops.toReversed()) await stop()
  })

  async function open(role: Role): Promise<TestGuildhall> {
    const guildhall = await startTestGuildhall({ ...settings, connection: database.connection, roles: [role] })
    opened.push(guildhall)
    return guildhall
  }

  /** Of `ofCommands`, what anybody has opened so far. */
  async function schemas({ store }: TestGuildhall): Promise<readonly string[]> {
    const { rows } = await store.database.pool.query<{ name: string }>(
      'select schema_name::text as name from information_schema.schemata where schema_name = any($1) order by 1',
      [ofCommands],
    )
    return rows.map(({ name }) => name)
  }

  // One after the other on one database: what is opened stays.
  it('a projector and a Gateway hold no worker id, count no requests, keep no tickets and send no mail', async () => {
    expect(await schemas(await open('projector'))).toStrictEqual([])
    const gateway = await open('gateway')
    expect(await schemas(gateway)).toStrictEqual([])
    expect(() => gateway.ports).toThrow('No role of this process carries out commands')
    expect((await gateway.request('GET', '/_health')).status).toBe(200)
  })

  it('those that carry out commands do, each with a worker id of its own, and the worker sends what the API writes', async () => {
    const worker = await open('worker')
    expect(await schemas(worker)).toStrictEqual(ofCommands)
    expect(await heldIds(worker)).toBe(1)
    const api = await open('api')
    expect(await heldIds(api)).toBe(2)
    // Each test server has a mail server of its own, so it shows who sends.
    await api.ports.mail.send(letter)
    expect((await worker.mailTo(letter.to)).text).toContain(letter.values.token)
    expect(api.mailServer?.received).toStrictEqual([])
  })

  async function heldIds({ store }: TestGuildhall): Promise<number | undefined> {
    const { rows } = await store.database.pool.query<{ count: number }>(
      'select count(*)::int4 as count from ids.worker_leases where holder is not null',
    )
    return rows[0]?.count
  }
})
