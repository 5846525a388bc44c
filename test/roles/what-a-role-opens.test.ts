import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LetterOf } from '../../application/ports/mail.ts'
import { unlimited } from '../../application/access/unlimited.ts'
import type { Role } from '../../process/roles/role.ts'
import { ticketKind } from '../../application/secrets/ticket-kind.ts'
import { accountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { hearStatements } from '../support/statements.ts'
import { natsIsMissing, natsSuite, startNatsServer } from '../support/nats-server.ts'
import { laidDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestGuildhall, type TestGuildhall } from '../support/test-guildhall.ts'

/** The parts that only processes need which carry out commands, by their Postgres schema. */
const ofCommands = ['admission', 'ids', 'mail', 'rate_limits', 'session_activity', 'tickets']
const letter: LetterOf<'password_reset'> = {
  accountId: accountId(snowflake('1')),
  to: 'ada@example.com',
  template: 'password_reset',
  values: { username: 'ada', token: 'TOKEN' },
  locale: 'en-US',
  key: 'one',
  cause: { correlationId: 'request', causationId: 'command' },
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
  let database: TestDatabase
  /** The parts of `ofCommands` that the processes have used so far. */
  const asked = new Set<string>()

  beforeAll(async () => {
    const nats = await startNatsServer()
    stops.push(() => nats.stop())
    database = await laidDatabase()
    stops.push(() => database.close())
    const stopHearing = hearStatements((statement, on) => {
      // Servers of other files may still be at work.
      if (on !== database.connection.database) return
      // Every process shows the register, with the worker ids of those that hold one.
      if (statement.includes('processes.register')) return
      for (const schema of ofCommands) if (new RegExp(`\\b${schema}\\.`).test(statement)) asked.add(schema)
    })
    stops.push(async () => stopHearing())
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

  // The tests run in order, because what was used stays recorded.
  it('a projector and a Gateway hold no worker id, count no requests, keep no tickets and send no mail', async () => {
    await open('projector')
    expect([...asked]).toStrictEqual([])
    const gateway = await open('gateway')
    expect([...asked]).toStrictEqual([])
    expect(() => gateway.ports).toThrow('No role of this process carries out commands')
    expect((await gateway.request('GET', '/_health')).status).toBe(200)
  })

  it('processes that carry out commands do, each with its own worker id, and the worker sends what the API writes', async () => {
    const worker = await open('worker')
    expect(await heldIds(worker)).toBe(1)
    const api = await open('api')
    expect(await heldIds(api)).toBe(2)
    // Each test server has its own mail server, so this shows who sends.
    await api.ports.mail.send(letter)
    expect((await worker.mailTo(letter.to)).text).toContain(letter.values.token)
    expect(api.mailServer?.received).toStrictEqual([])
    await worker.ports.tickets.look(ticketKind('none'), 'none')
    await worker.ports.sessionActivity.lastUsed(['none'])
    await worker.ports.reservations.within([{ ...unlimited, key: 'none', count: async () => 0 }], async () => undefined)
    await api.request('GET', '/v1/users/@me')
    expect([...asked].toSorted()).toStrictEqual(ofCommands)
  })

  async function heldIds({ store }: TestGuildhall): Promise<number | undefined> {
    const { rows } = await store.database.pool.query<{ count: number }>(
      'select count(*)::int4 as count from ids.worker_leases where holder is not null',
    )
    return rows[0]?.count
  }
})
