import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { closingList } from '../../../process/closing-list.ts'
import { Client } from '../../gateway/support/client.ts'
import { metricOf } from '../../support/cluster/metrics.ts'
import { isLong, noteFault } from '../../support/fault-table.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../../support/test-guildhall.ts'
import { noHearingFaults } from '../network/watched-facts.ts'
import { openCrowd, type Crowd } from './crowd.ts'
import { paced } from '../../support/pace.ts'

const accounts = isLong ? 50 : 2
/** For each account. Half of its sessions come back with Resume, and as many new ones begin at the same moment. */
const resumesPerAccount = 40
/** For one address in one minute (gateway/limits.ts). */
const identifies_max = 300
/** Two waves of connections from one address, both smaller than the number that it may have at the same time. */
const waves = [250, 100]
const served_ms_max = isLong ? 60_000 : 20_000
const told_ms_max = 5000
const listeners = 20
const tells = isLong ? 100 : 10
/** Others are told of a join once in so many rounds of requests; in the other rounds the slow session only asks. */
const tellEvery = isLong ? 1 : 15
const askedPerRound = isLong ? 200 : 50
const round_ms = 15
/** A guild of 250 members sends joins only to sessions that ask for them. */
const tells_max = 200
/** Far less than an unbounded buffer would keep for a client that never reads. The clients are in this process too. */
const memory_bytes_max = 200 * 1024 * 1024
const identifyOf = (token: string) => ({ token, properties: { os: '', browser: '', device: '' } })

vi.setConfig({ testTimeout: isLong ? 900_000 : 600_000 })

describe('A storm of clients that come back', () => {
  const closings = closingList()
  const clients: Client[] = []
  let guildhall: TestGuildhall
  let people: readonly TestAccount[]
  let guild: string
  let addresses = 0

  beforeAll(async () => {
    // Each client has an address of its own, as a proxy names it.
    guildhall = await startTestGuildhall({ rateLimits: true, trustedProxies: ['127.0.0.1'] })
    closings.add(() => guildhall.close())
    closings.add(async () => clients.forEach(({ socket }) => socket.terminate()))
    people = await Promise.all(Array.from({ length: accounts }, () => guildhall.register()))
    const [owner] = people
    guild = String((await ask('POST', '/v1/guilds', owner, { name: 'Stormy' }))['id'])
    const channels = (await ask('GET', `/v1/guilds/${guild}/channels`, owner)) as unknown as {
      id: string
      type: number
    }[]
    const text = channels.find(({ type }) => type === 0)?.id ?? ''
    const wishes = { max_uses: 0, max_age: 0 }
    const { code } = await ask('POST', `/v1/channels/${text}/invites`, owner, wishes)
    for (const person of people.slice(1)) await ask('POST', `/v1/invites/${String(code)}`, person, {})
  })
  afterAll(() => closings.close())

  async function ask(method: string, path: string, who: TestAccount | undefined, body?: object) {
    const answer = await guildhall.request(method, path, {
      ...(who && { token: who.token }),
      headers: { 'content-type': 'application/json' },
      ...(body && { body }),
    })
    expect(answer.status).toBeLessThan(300)
    return answer.body as Readonly<Record<string, unknown>>
  }

  /** Connects and waits for Hello; from a new address, unless one is named. */
  async function greeted(from = `10.1.${(addresses += 1) >> 8}.${addresses & 255}`): Promise<Client> {
    const url = `${guildhall.url.replace('http', 'ws')}/gateway?v=1&encoding=json`
    const client = new Client(url, { 'x-forwarded-for': from })
    clients.push(client)
    await client.op(10)
    return client
  }

  const everybody = (all: readonly TestAccount[]): readonly TestAccount[] =>
    all.flatMap((person) => Array.from({ length: resumesPerAccount }, () => person))

  it('F26: has resumes served first, then new sessions, and one address shed that identifies too often', async () => {
    const before = await Promise.all(
      everybody(people).map(async (person) => {
        const client = await greeted()
        client.send(2, identifyOf(person.token))
        await client.dispatch('READY')
        return { person, client }
      }),
    )
    // All connections are lost at once, and an event happens before the first one is back.
    for (const { client } of before) client.socket.terminate()
    await ask('PATCH', `/v1/guilds/${guild}`, people[0], { name: 'Stormier' })
    const lost = before.map(({ person, client }) => ({ person, sessionId: client.sessionId, seq: client.sequence }))
    const [coming, returning, flood] = await Promise.all([
      Promise.all(everybody(people).map(async (person) => ({ person, client: await greeted() }))),
      Promise.all(lost.map(async (session) => ({ ...session, client: await greeted() }))),
      Promise.all(Array.from({ length: waves[0] ?? 0 }, () => greeted('10.2.0.1'))),
    ])
    const served: string[] = []
    const began = performance.now()
    for (const client of flood) client.send(2, identifyOf('nobody'))
    for (const { client, person } of coming) client.send(2, identifyOf(person.token))
    for (const { client, person, sessionId, seq } of returning)
      client.send(6, { token: person.token, session_id: sessionId, seq })
    await Promise.all([
      ...coming.map(({ client }) => client.dispatch('READY').then(() => served.push('READY'))),
      ...returning.map(({ client }) => client.dispatch('RESUMED').then(() => served.push('RESUMED'))),
    ])
    const served_ms = performance.now() - began
    const refused = await Promise.all(flood.map(({ closed }) => closed))
    const answered = await secondWave(identifies_max - flood.length)
    const ahead = served.lastIndexOf('RESUMED') - returning.length + 1
    const faults = returning.map(({ client, seq }) => replayFaults(client, seq))
    const shed = (waves[1] ?? 0) - answered
    noteFault('F26', {
      title: 'reconnect storm',
      runs: returning.length + coming.length,
      lost: faults.filter(({ updates }) => updates === 0).length,
      repeated: faults.filter(({ updates }) => updates > 1).length,
      reordered: faults.filter(({ isNumbered }) => !isNumbered).length,
      divergent: 0,
      stuck_s: served_ms / 1000,
      note: `${returning.length} resumes behind ${ahead} of ${coming.length} identifies; ${shed} identifies of one address shed`,
    })
    expect(faults).toEqual(faults.map(() => ({ updates: 1, isNumbered: true })))
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set([4004]))
    expect(answered).toBe(identifies_max - flood.length)
    // They were sent last, and do not wait for what others requested.
    expect(ahead).toBeLessThan(coming.length / 2)
    expect(served_ms).toBeLessThan(paced(served_ms_max))
  })

  /**
   * Identifies once more from the flooding address. Returns how many of these connections were answered by the time a client from
   * elsewhere was.
   */
  async function secondWave(answers: number): Promise<number> {
    const again = await Promise.all(Array.from({ length: waves[1] ?? 0 }, () => greeted('10.2.0.1')))
    let answered = 0
    for (const client of again) void client.closed.then(() => (answered += 1))
    for (const client of again) client.send(2, identifyOf('nobody'))
    await expect.poll(() => answered).toBeGreaterThanOrEqual(answers)
    const [person] = people
    const other = await greeted()
    other.send(2, identifyOf(person?.token ?? ''))
    await other.dispatch('READY')
    return answered
  }
})

/** Checks what the Resume replayed: how often it contained the one change, and whether the numbers continued. */
function replayFaults(client: Client, seq: number) {
  const brought = client.dispatches.filter(({ t }) => t !== 'RESUMED')
  return {
    updates: brought.filter(({ t }) => t === 'GUILD_UPDATE').length,
    isNumbered: brought.every(({ s }, index) => s === seq + 1 + index),
  }
}

describe('A client that does not read', () => {
  const closings = closingList()
  let guildhall: TestGuildhall
  let crowd: Crowd

  beforeAll(async () => {
    guildhall = await startTestGuildhall()
    closings.add(() => guildhall.close())
    const place = { apiUrl: () => guildhall.url, gatewayUrl: () => guildhall.url, store: guildhall.store }
    crowd = await openCrowd(place, listeners)
    closings.add(async () => crowd.close())
  })
  afterAll(() => closings.close())

  const cut = async (): Promise<number> => (await metricOf(guildhall, 'guildhall_gateway_slow_clients_total')) ?? 0

  /** Channels with long topics: each time that the guild is requested, all of them are sent. */
  async function growGuild(): Promise<void> {
    const body = { name: 'long', type: 0, topic: 'x'.repeat(1024) }
    const make = () =>
      guildhall.request('POST', `/v1/guilds/${crowd.guild.id}/channels`, {
        token: crowd.owner.token,
        headers: { 'content-type': 'application/json' },
        body,
      })
    // All at once, some would be refused on a busy machine: they wait for one another.
    for (let batch = 0; batch < 10; batch += 1) {
      const made = await Promise.all(Array.from({ length: 10 }, make))
      expect(new Set(made.map(({ status }) => status))).toEqual(new Set([200]))
    }
  }

  it('F13: is cut off once too much waits for it, while all others hear everything in time', async () => {
    await growGuild()
    const slow = new Client(`${guildhall.url.replace('http', 'ws')}/gateway?v=1&encoding=json`)
    closings.add(async () => slow.socket.terminate())
    await slow.op(10)
    slow.send(2, identifyOf(crowd.owner.token))
    await slow.dispatch('READY')
    slow.socket.pause()
    const memory = process.memoryUsage().rss
    const took_ms: number[] = []
    let asked = 0
    for (let round = 0; took_ms.length < tells || (await cut()) === 0; round += 1) {
      for (let count = 0; count < askedPerRound; count += 1) {
        for (const active of [false, true]) slow.send(14, { subscriptions: { [crowd.guild.id]: { active } } })
        asked += 1
      }
      if (round % tellEvery === 0) took_ms.push(await crowd.tell())
      else await sleep(round_ms)
      if (took_ms.length >= tells_max) break
    }
    const grown = process.memoryUsage().rss - memory
    const faults = await crowd.faults()
    const slowest_ms = Math.max(...took_ms)
    noteFault('F13', {
      title: 'session that does not read',
      runs: asked,
      lost: faults.lost,
      repeated: faults.repeated + faults.unknown,
      reordered: faults.reordered + faults.misnumbered,
      divergent: crowd.stale(),
      stuck_s: slowest_ms / 1000,
      note: `${await cut()} cut, ${took_ms.length} joins told to ${listeners} others, memory +${Math.round(grown / 1024 / 1024)} MiB`,
    })
    expect(await cut()).toBe(1)
    expect(faults).toEqual(noHearingFaults)
    expect(crowd.sessions.map(({ lives }) => lives.length)).toEqual(crowd.sessions.map(() => 1))
    expect(slowest_ms).toBeLessThan(paced(told_ms_max))
    expect(grown).toBeLessThan(memory_bytes_max)
  })
})
