import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectTo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { banNetwork, liftNetworkBan } from '../../application/administration/network-bans/ban-network.ts'
import { protectedAddresses } from '../../application/administration/network-bans/protected-addresses.ts'
import { secondsAfter, type Timestamp } from '../../domain/kernel/timestamp.ts'
import { Client } from '../gateway/support/client.ts'
import { identifyOf } from '../gateway/support/facts.ts'
import { expectRefusal } from '../operations/support/answers.ts'
import { openServer } from '../operations/support/scene.ts'
import { natsIsMissing, natsSuite, startNatsServer, type NatsServer } from '../support/nats-server.ts'
import { testContext } from '../support/test-context.ts'
import { laidDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestGuildhall, type TestAnswer, type TestGuildhall } from '../support/test-guildhall.ts'
import { patience_ms } from '../support/pace.ts'
import { failuresToBan, hasFailedOften } from './support/failing-networks.ts'

/** Networks of which too many requests fail are banned (rules/http-and-limits#failures). */

const offender = '203.0.113.7'
const neighbour = '203.0.113.8'
/** How often a process looks for bans. */
const looks_ms = 100

const send = ({ request }: TestGuildhall, path: string, address: string, token?: string): Promise<TestAnswer> =>
  request('GET', path, { headers: { 'x-forwarded-for': address }, ...(token === undefined ? {} : { token }) })

/** Waits until every process knows: `looks_ms` after the read models have it. */
async function statusSoon(guildhall: TestGuildhall, address: string, status: number): Promise<void> {
  const now = async (): Promise<number> => (await send(guildhall, '/v1/users/@me', address)).status
  await expect.poll(now).toBe(status)
}

/** A Gateway connection from an address, after Hello. */
async function connect({ url }: TestGuildhall, address: string): Promise<Client> {
  const client = new Client(`${url.replace('http', 'ws')}/gateway?v=1`, { 'x-forwarded-for': address })
  await client.op(10)
  return client
}

async function ban({ ports }: TestGuildhall, address: string, expiresAt: Timestamp | null = null): Promise<void> {
  const context = testContext()
  await banNetwork(ports, protectedAddresses([]))(context, { address, reason: 'spam', expiresAt })
  await ports.readModels.reached(context.written)
}

async function lift({ ports }: TestGuildhall, address: string): Promise<void> {
  const context = testContext()
  await liftNetworkBan(ports)(context, address)
  await ports.readModels.reached(context.written)
}

describe('a network that is banned by hand', async () => {
  const guildhall = await openServer({ trustedProxies: ['127.0.0.1'], withMailServer: true, looks_ms })
  const ada = await guildhall.register()
  await ban(guildhall, offender)
  // This is no test yet, so there is no `expect.poll`.
  await vi.waitFor(async () => expect((await send(guildhall, '/docs', offender)).status).toBe(403), {
    timeout: patience_ms,
  })

  it('gets 403 GLOBAL_IP_BANNED in the same bytes for every request, with any credential', async () => {
    const paths = ['/v1/users/@me', '/v1/.well-known/guildhall', '/v1/nowhere', '/docs']
    const answers = [
      ...(await Promise.all(paths.map((path) => send(guildhall, path, offender)))),
      await send(guildhall, '/v1/users/@me', offender, ada.token),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(403)
      expect(answer.body).toStrictEqual({
        code: 'GLOBAL_IP_BANNED',
        message: expect.any(String),
        ip_address: offender,
        appeal_email: 'chat@example.com',
        appeals_supported: true,
        ban_kind: 'permanent',
        expires_at: null,
      })
    }
    const texts = await Promise.all(
      paths.map(async (path) => {
        const answer = await fetch(guildhall.url + path, { headers: { 'x-forwarded-for': offender } })
        return answer.text()
      }),
    )
    expect(new Set(texts).size).toBe(1)
  })

  it('is one client: others are let in, and the operator can always read the health', async () => {
    expectRefusal(await send(guildhall, '/v1/users/@me', neighbour), 401, 'UNAUTHORIZED')
    expect((await send(guildhall, '/v1/users/@me', neighbour, ada.token)).status).toBe(200)
    for (const path of ['/_health', '/_healthz']) expect((await send(guildhall, path, offender)).status).toBe(200)
    expectRefusal(await send(guildhall, '/_metrics', offender), 403, 'GLOBAL_IP_BANNED')
  })

  it('is refused by the Gateway before the upgrade', async () => {
    const open = (address: string): WebSocket =>
      new WebSocket(`${guildhall.url.replace('http', 'ws')}/gateway`, { headers: { 'x-forwarded-for': address } })
    const turnedAway = open(offender)
    const [, response] = await once(turnedAway, 'unexpected-response')
    expect(response.statusCode).toBe(403)
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    expect(JSON.parse(Buffer.concat(chunks).toString())).toMatchObject({ code: 'GLOBAL_IP_BANNED' })
    const welcome = open(neighbour)
    await once(welcome, 'open')
    welcome.terminate()
  })

  it('loses its Gateway connections, and can resume their sessions only from elsewhere', async () => {
    const [suspect, bystander] = ['203.0.113.30', '203.0.113.31']
    const [theirs, others, unidentified] = [
      await connect(guildhall, suspect),
      await connect(guildhall, bystander),
      await connect(guildhall, suspect),
    ]
    for (const client of [theirs, others]) {
      client.send(2, identifyOf(ada))
      await client.dispatch('READY')
    }
    await ban(guildhall, suspect)
    for (const client of [theirs, unidentified])
      expect(await client.closed).toStrictEqual({ code: 4000, reason: 'Session unavailable' })
    others.send(1, null)
    await others.op(11)
    const elsewhere = await connect(guildhall, bystander)
    elsewhere.send(6, { token: ada.token, session_id: theirs.sessionId, seq: 1 })
    await elsewhere.dispatch('RESUMED')
    for (const client of [others, elsewhere]) client.close()
  })

  it('is the /64 of an IPv6 client', async () => {
    await ban(guildhall, '2001:db8:0:7::1')
    await statusSoon(guildhall, '2001:db8:0:7:ffff::9', 403)
    expect((await send(guildhall, '/v1/users/@me', '2001:db8:0:7:0:0:0:9')).body).toMatchObject({
      ip_address: '2001:db8:0:7::9',
    })
    expect((await send(guildhall, '/v1/users/@me', '2001:db8:0:8::1')).status).toBe(401)
  })

  it('is let in again when its ban ends, and when it is lifted', async () => {
    const [short, lifted] = ['203.0.113.20', '203.0.113.21']
    const until = secondsAfter(testContext().now, 2)
    await ban(guildhall, short, until)
    await ban(guildhall, lifted)
    await statusSoon(guildhall, short, 403)
    const answer = await send(guildhall, '/v1/users/@me', short)
    if (answer.status === 403)
      expect(answer.body).toMatchObject({
        code: 'GLOBAL_IP_TEMPORARILY_BANNED',
        ban_kind: 'temporary_24h',
        appeals_supported: false,
        expires_at: until,
      })
    await statusSoon(guildhall, short, 401)
    expect(testContext().now >= until).toBe(true)
    await statusSoon(guildhall, lifted, 403)
    await lift(guildhall, lifted)
    await statusSoon(guildhall, lifted, 401)
  })
})

describe('without trusted proxies', () => {
  it('X-Forwarded-For gets nobody banned', async () => {
    const { connection, database, close } = await laidDatabase()
    const guildhall = await startTestGuildhall({ rateLimits: true, connection })
    await hasFailedOften(database, `${offender}/32`)
    await hammer(guildhall, offender, failuresToBan)
    // Closing writes the failures that are still to be counted.
    await guildhall.close()
    const { rows } = await database.pool.query("select from event_store.events where stream like 'network_ban-%'")
    expect(rows).toStrictEqual([])
    await close()
  })
})

/** Sends requests without a credential down one socket, 40 at a time. Resolves once all are answered. */
async function hammer({ url }: TestGuildhall, address: string, count: number): Promise<void> {
  const { hostname, port } = new URL(url)
  const socket = connectTo(Number(port), hostname)
  const request = `GET /v1/users/@me HTTP/1.1\r\nhost: ${hostname}\r\nx-forwarded-for: ${address}\r\n\r\n`
  const atOnce = 40
  for (let sent = 0; sent < count; sent += atOnce) {
    socket.write(request.repeat(atOnce))
    let answers = ''
    while (answers.split('HTTP/1.1 ').length <= atOnce) answers += String((await once(socket, 'data'))[0])
  }
  socket.destroy()
}

async function bansIn({ store }: TestGuildhall): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { rows } = await store.database.pool.query('select * from network_bans.bans')
  return rows
}

describe('a network whose requests fail again and again', async () => {
  const guildhall = await openServer({ trustedProxies: ['127.0.0.1'], rateLimits: true, looks_ms })

  it('is banned for 24 hours, and no other network is', async () => {
    await hasFailedOften(guildhall.store.database, `${offender}/32`, `${neighbour}/32`)
    await hammer(guildhall, offender, failuresToBan)
    await statusSoon(guildhall, offender, 403)
    const { body } = await send(guildhall, '/v1/users/@me', offender)
    expect(body).toMatchObject({
      code: 'GLOBAL_IP_TEMPORARILY_BANNED',
      ip_address: offender,
      appeals_supported: false,
      ban_kind: 'temporary_24h',
    })
    const { expires_at: until } = body as { readonly expires_at: Timestamp }
    const hours = (Date.parse(until) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThanOrEqual(24)
    expect(await bansIn(guildhall)).toMatchObject([{ network: '203.0.113.7/32', cause: 'failures', reason: null }])
    expect((await send(guildhall, '/v1/users/@me', neighbour)).status).toBe(401)
  })
})

describe.skipIf(natsIsMissing !== undefined)(natsSuite('several processes'), () => {
  let nats: NatsServer
  let database: TestDatabase
  const opened: TestGuildhall[] = []
  beforeAll(async () => {
    nats = await startNatsServer()
    database = await laidDatabase()
    const personalDataKey = randomBytes(32)
    const shared = { connection: database.connection, natsServers: [nats.url], personalDataKey, rateLimits: true }
    const behind = { ...shared, trustedProxies: ['127.0.0.1'], looks_ms }
    opened.push(await startTestGuildhall({ ...behind, roles: ['projector', 'gateway'] }))
    for (let apis = 0; apis < 2; apis += 1) opened.push(await startTestGuildhall({ ...behind, roles: ['api'] }))
    opened.push(await startTestGuildhall({ ...behind, roles: ['worker'] }))
  })
  afterAll(async () => {
    for (const guildhall of opened.toReversed()) await guildhall.close()
    await nats.stop()
    await database.close()
  })

  it('count failures together, and all refuse a banned network', async () => {
    const [gateway, one, other, worker] = opened
    if (!gateway || !one || !other || !worker) throw new Error('Not all processes are there')
    const connected = await connect(gateway, offender)
    // Neither server sees enough failures for a ban by itself.
    await hasFailedOften(database.database, `${offender}/32`)
    await Promise.all([one, other].map((server) => hammer(server, offender, failuresToBan / 2)))
    await statusSoon(one, offender, 403)
    await statusSoon(other, offender, 403)
    expect(await connected.closed).toMatchObject({ code: 4000 })
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/gateway`, {
      headers: { 'x-forwarded-for': offender },
    })
    const [, response] = await once(socket, 'unexpected-response')
    expect(response.statusCode).toBe(403)
    await expect.poll(async () => (await send(worker, '/_metrics', offender)).status).toBe(403)
    expect((await send(worker, '/_metrics', neighbour)).status).toBe(200)
    expect(await bansIn(one)).toHaveLength(1)
    await lift(one, offender)
    await statusSoon(one, offender, 401)
    await statusSoon(other, offender, 401)
  })
})
