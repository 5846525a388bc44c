import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { accounts } from '../../../adapters/http/callers.ts'
import { memoryRateLimits } from '../../../adapters/http/limits/rate-limits.ts'
import { bodyBytes_max, bodyPace } from '../../../adapters/http/request/input/read-body.ts'
import { requestShares } from '../../../adapters/http/request/shares/request-share.ts'
import { Refused } from '../../../application/commands/refused.ts'
import { act, echo, guarded } from '../../adapters/http/operations.ts'
import { adaToken, afterThisTest, bobToken, startServer, type TestServer } from '../../adapters/http/support.ts'
import { standStill } from '../../support/stand-still.ts'
import { paced } from '../../support/pace.ts'

/** Bodies that are announced but do not arrive, and how much of the shared capacity one client may hold. */

const limited = () => ({ rateLimits: memoryRateLimits() })

/** Sends the head of a request and the first byte of its body. Returns what comes back, as it comes. */
async function begun(
  { port }: TestServer,
  token: string,
  length = 100,
): Promise<{ socket: Socket; text: () => string }> {
  const socket = connect(port, '127.0.0.1')
  afterThisTest(() => socket.destroy())
  let text = ''
  socket.on('data', (data: Buffer) => (text += data.toString())).on('error', () => undefined)
  const head = `POST /v1/things/1/echo HTTP/1.1\r\nhost: x\r\nauthorization: ${token}\r\ncontent-length: ${length}\r\n`
  await new Promise((resolve) => socket.write(`${head}\r\n{`, resolve))
  return { socket, text: () => text }
}

const statusOf = async (server: TestServer, token: string) => (await server.fetch('/v1/guarded', { token })).status

/** As the metrics tell it; the request for them is one of them. */
const openRequests = async (server: TestServer): Promise<string | undefined> =>
  /guildhall_http_requests_open (\d+)/.exec(await (await server.fetch('/_metrics')).text())?.[1]

/** Sends a text, and stops this process before it can read it: when it goes on, timers come first. */
async function arrivesInStandstill(socket: Socket, text: string, ms: number): Promise<void> {
  await setImmediate()
  socket.write(text)
  standStill(ms)
}

/** An operation that answers once the test releases it. */
function heldBack() {
  let go = (): void => undefined
  const released = new Promise<void>((resolve) => (go = resolve))
  let count = 0
  const operation = act(async () => {
    count += 1
    await released
    return { done: true }
  })
  return { operation, arrived: () => count, go: () => go() }
}

describe('a request whose body has not arrived', () => {
  it('takes no work place', async () => {
    const server = await startServer([echo, guarded(accounts())], { bounds: { inFlight_max: 2 } })
    await Promise.all(Array.from({ length: 10 }, () => begun(server, adaToken)))
    await expect.poll(() => openRequests(server)).toBe('11')
    expect(await statusOf(server, bobToken)).toBe(200)
  })

  it('takes one once it has arrived, and is answered', async () => {
    const server = await startServer([echo], { bounds: { inFlight_max: 1 } })
    const { socket, text } = await begun(server, adaToken, 12)
    socket.write('"name":"x"}')
    await expect.poll(text).toContain('{"name":"x"}')
    expect(text()).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('is refused if it is slower than the minimum pace, even if some of it comes each second', async () => {
    const server = await startServer([echo])
    const { socket, text } = await begun(server, adaToken)
    const dribble = setInterval(() => socket.write(' '), 1000)
    afterThisTest(() => clearInterval(dribble))
    const began = performance.now()
    await expect.poll(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(performance.now() - began).toBeLessThan(paced(bodyPace.grace_ms + 5000))
  })

  it('is answered if it arrived while the server itself stood still', async () => {
    const server = await startServer([echo])
    const { socket, text } = await begun(server, adaToken, 12)
    await expect.poll(() => openRequests(server)).toBe('2')
    await arrivesInStandstill(socket, '"name":"x"}', bodyPace.grace_ms + 200)
    await expect.poll(text).toMatch(/^HTTP\/1\.1 200 [^]*\{"name":"x"\}/)
  })

  it('ends with its client, without a line in the log', async () => {
    const server = await startServer([echo])
    const { socket } = await begun(server, adaToken)
    await expect.poll(() => server.logged.length).toBe(0)
    socket.destroy()
    await expect.poll(() => server.logged.some(({ status }) => status === 400)).toBe(true)
    expect(server.logged.filter(({ level }) => Number(level) >= 40)).toStrictEqual([])
  })
})

describe('the rest of a body that is too long', () => {
  it('is read after the answer, even if it arrived while the server itself stood still', async () => {
    const server = await startServer([echo])
    const length = 2 * bodyBytes_max
    const { socket, text } = await begun(server, adaToken, length)
    await expect.poll(text).toMatch(/^HTTP\/1\.1 4\d\d /)
    await new Promise((resolve, fail) => socket.once('error', fail).write(' '.repeat(length - 4001), resolve))
    await arrivesInStandstill(socket, ' '.repeat(4000), 2500)
    const { length: before } = text()
    socket.write(`GET /v1/unknown HTTP/1.1\r\nhost: x\r\n\r\n`)
    await expect.poll(() => text().slice(before)).toMatch(/^HTTP\/1\.1 404 /)
  })

  it('is not waited for for long', async () => {
    const server = await startServer([echo])
    const { socket, text } = await begun(server, adaToken, 2 * bodyBytes_max)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await expect.poll(text).toMatch(/^HTTP\/1\.1 4\d\d /)
    await closed
  })
})

describe('work slots', () => {
  it('are limited to a share for one identity, while others at the same address have theirs', async () => {
    const held = heldBack()
    const server = await startServer([held.operation, guarded(accounts())], {
      ...limited(),
      bounds: { inFlight_max: 10, inFlightOfIdentity_max: 2 },
    })
    const post = () => server.fetch('/v1/things', { method: 'POST', token: adaToken })
    const first = [post(), post()]
    await expect.poll(held.arrived).toBe(2)
    const refused = await post()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await statusOf(server, bobToken)).toBe(200)
    held.go()
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200])
    await expect.poll(() => statusOf(server, adaToken)).toBe(200)
  })

  it('are reserved in part for requests with a valid credential', async () => {
    const held = heldBack()
    const server = await startServer([held.operation, guarded(accounts())], {
      bounds: { inFlight_max: 4, inFlightOfStrangers_max: 2 },
    })
    expect(await statusOf(server, adaToken)).toBe(200)
    const strangers = [0, 1].map(() => server.fetch('/v1/things', { method: 'POST' }))
    await expect.poll(held.arrived).toBe(2)
    expect((await server.fetch('/v1/guarded')).status).toBe(503)
    expect(await statusOf(server, adaToken)).toBe(200)
    held.go()
    await Promise.all(strangers)
  })
})

describe('the memory for bodies', () => {
  const bounds = { all_max: 100, strangers_max: 50, address_max: 60, identity_max: 30 }
  const shares = () => requestShares({ slots: bounds, bytes: bounds })
  const holder = (address: string, identity: string, isKnown = true) => ({ address, identity, isKnown })

  it('has a bound for one identity, one address, strangers, and all', () => {
    const all = shares()
    all.open(holder('a', 'ada')).hold(30)
    expect(() => all.open(holder('b', 'ada')).hold(1)).toThrow(Refused)
    all.open(holder('a', 'brian')).hold(30)
    expect(() => all.open(holder('a', 'carol')).hold(1)).toThrow(Refused)
    all.open(holder('c', 'carol')).hold(30)
    expect(() => all.open(holder('d', 'dan')).hold(11)).toThrow(Refused)
    const strange = shares()
    for (const address of ['a', 'b']) strange.open(holder(address, address, false)).hold(25)
    expect(() => strange.open(holder('c', 'c', false)).hold(1)).toThrow(Refused)
    strange.open(holder('c', 'ada')).hold(30)
  })

  it('is free again when the request ends', () => {
    const all = shares()
    const share = all.open(holder('a', 'ada'))
    share.hold(30)
    share.free()
    all.open(holder('a', 'ada')).hold(30)
  })
})
