import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Gateway } from '../../client/gateway.ts'
import { playGateway, type PlayedConnection, type PlayedGateway } from './support/played-gateway.ts'
import { reading, type Reading } from './support/reading.ts'

let server: PlayedGateway
let client: Reading

beforeEach(async () => {
  server = await playGateway()
  client = reading({ gatewayUrl: server.url, token: 'first' })
})
afterEach(async () => {
  client.gateway.close()
  await client.ended
  await server.close()
})

const ready = { op: 0, t: 'READY', s: 1, d: { session_id: 'the session' } }

/** The next connection, on which the session begins. */
async function begun(heartbeat_interval?: number): Promise<PlayedConnection> {
  const connection = await server.greets(heartbeat_interval)
  await connection.hears(2)
  connection.send(ready)
  await client.hears('READY')
  return connection
}

describe('the heart of a connection', () => {
  it('beats at the pace of the server, with the number of the last dispatch', async () => {
    const connection = await server.greets(20)
    expect(await connection.hears(1)).toBeNull()
    connection.send({ op: 11 })
    connection.send(ready)
    await client.hears('READY')
    for (let count = 0; count < 3; count += 1) {
      expect(await connection.hears(1)).toBe(1)
      connection.send({ op: 11 })
    }
  })

  it('beats at once where the server asks for it', async () => {
    const connection = await begun()
    connection.send({ op: 1, d: null })
    expect(await connection.hears(1)).toBe(1)
  })

  it('that is not answered ends the connection, and the session is resumed on another', async () => {
    const connection = await begun(20)
    await connection.hears(1)
    const another = await server.greets()
    expect(await another.hears(6)).toStrictEqual({ token: 'first', session_id: 'the session', seq: 1 })
    expect(client.interruptions).toMatchObject([
      { code: 1006, reason: 'No answer to a heartbeat came in time', isResumed: true },
    ])
  })
})

describe('a session', () => {
  it('passes over what later versions may send', async () => {
    const connection = await begun()
    connection.send({ op: 99 })
    connection.send({ op: 0, t: 'SOMETHING_NEW', s: 2, d: {} })
    connection.send({ op: 0, t: 'GUILD_DELETE', s: 3, d: { id: '1' } })
    expect((await client.hears('GUILD_DELETE')).s).toBe(3)
  })

  it('ends with an error where what comes cannot be read', async () => {
    const { socket } = await begun()
    socket.send('nonsense')
    expect(await client.ended).toMatchObject({ message: 'The Gateway sends what is no payload' })
  })

  it('is resumed on another connection after op 9 with true', async () => {
    const connection = await begun()
    connection.send({ op: 9, d: true })
    const another = await server.greets()
    expect(await another.hears(6)).toMatchObject({ session_id: 'the session' })
  })

  it('goes on with the new token after a new password', async () => {
    const connection = await begun()
    connection.send({ op: 0, t: 'AUTH_SESSION_CHANGE', s: 2, d: { new_token: 'second' } })
    await client.hears('AUTH_SESSION_CHANGE')
    connection.socket.close(4000)
    expect(await (await server.greets()).hears(6)).toStrictEqual({ token: 'second', session_id: 'the session', seq: 2 })
  })

  it.each([4000, 4009, 1001, 1011])('is resumed after a close with %i', async (code) => {
    const { socket } = await begun()
    socket.close(code)
    await (await server.greets()).hears(6)
    expect(client.interruptions).toMatchObject([{ code, isResumed: true }])
  })

  it.each([4003, 4005, 4007])('is followed by a new one after a close with %i', async (code) => {
    const { socket } = await begun()
    socket.close(code)
    await (await server.greets()).hears(2)
    expect(client.interruptions).toMatchObject([{ code, isResumed: false }])
  })

  it('is resumed only after half a minute, a minute at most, where the client was too busy', async () => {
    const { socket } = await begun()
    socket.close(4008, 'Rate limited')
    await expect.poll(() => client.interruptions).toHaveLength(1)
    const [{ pause_ms, isResumed } = { pause_ms: 0, isResumed: false }] = client.interruptions
    expect({ isResumed, isWithin: pause_ms >= 30_000 && pause_ms <= 60_000 }).toStrictEqual({
      isResumed: true,
      isWithin: true,
    })
  })

  it.each([4001, 4002, 4004, 4010, 4011, 4012])('ends for good after a close with %i', async (code) => {
    const { socket } = await begun()
    socket.close(code, 'as it is')
    expect(await client.ended).toMatchObject({ name: 'GatewayError', code })
    expect(client.interruptions).toStrictEqual([])
  })
})

it('the pauses between attempts that come to nothing grow, each somewhere in the upper half of its bound', async () => {
  for (let failures = 0; failures < 3; failures += 1) {
    const { socket } = await server.greets()
    socket.close(1011)
    await expect.poll(() => client.interruptions).toHaveLength(failures + 1)
  }
  for (const [failures, { pause_ms }] of client.interruptions.entries()) {
    const longest_ms = 1000 * 2 ** failures
    expect(pause_ms).toBeGreaterThanOrEqual(longest_ms / 2)
    expect(pause_ms).toBeLessThanOrEqual(longest_ms)
  }
})

it('a program that leaves ten thousand dispatches unread gets them all, and then an error', async () => {
  const slow = new Gateway({ gatewayUrl: server.url, token: 'slow' })[Symbol.asyncIterator]()
  const first = slow.next()
  await server.greets()
  const connection = await server.greets()
  connection.send(ready)
  await first
  const closed = once(connection.socket, 'close')
  for (let s = 2; s <= 10_002; s += 1) connection.send({ op: 0, t: 'RESUMED', s, d: {} })
  await closed
  for (let s = 2; s <= 10_001; s += 1) expect((await slow.next()).value?.s).toBe(s)
  await expect(slow.next()).rejects.toThrow('The program has left 10000 dispatches unread')
})
