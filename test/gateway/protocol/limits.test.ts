import { afterEach, describe, expect, it } from 'vitest'
import { gatewayLimits, type GatewayLimits } from '../../../gateway/limits.ts'
import { identifyOf } from '../support/facts.ts'
import { openStage, type Stage } from '../support/stage.ts'

let stage: Stage
afterEach(async () => {
  await stage.end()
})

async function set(limits: Partial<GatewayLimits> = {}, rateLimits = true): Promise<void> {
  stage = await openStage({ limits, rateLimits })
}

describe('a frame', () => {
  it.each([
    ['of 4097 bytes', 'x'.repeat(4097), 'Payload too large'],
    ['of a megabyte', Buffer.alloc(1024 * 1024), 'Payload too large'],
    ['that is no JSON', '{"op":1', 'Decode failed'],
    ['that is a JSON list', '[1]', 'Decode failed'],
    ['that is a JSON number', '1', 'Decode failed'],
    ['that is no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'Decode failed'],
    ['without op', '{"d":null}', 'Invalid payload'],
  ])('%s is closed 4002', async (_, frame, reason) => {
    await set()
    const client = await stage.greet()
    client.raw(frame)
    expect(await client.closed).toStrictEqual({ code: 4002, reason })
  })

  it('of 4096 bytes is read, and a binary one like a text', async () => {
    await set()
    const client = await stage.greet()
    client.raw(JSON.stringify({ op: 1, d: 'x'.repeat(4096 - '{"op":1,"d":""}'.length) }))
    await client.op(11)
    client.raw(Buffer.from(JSON.stringify({ op: 1, d: null })))
    await client.op(11)
  })

  it.each([
    ['without d', '{"op":1}', 4001, 'Unknown opcode'],
    ['that needs a session', '{"op":3,"d":{}}', 4003, 'Not authenticated'],
    ['of an unknown opcode, before a session', '{"op":99,"d":{}}', 4003, 'Not authenticated'],
  ])('%s is closed', async (_, frame, code, reason) => {
    await set()
    const client = await stage.greet()
    client.raw(frame)
    expect(await client.closed).toStrictEqual({ code, reason })
  })

  it.each([0, 5, 7, 9, 10, 11, 12, 17, 27, 28, 29, -1, 1.5, '1', null])(
    'with op %j in a session is closed 4001',
    async (op) => {
      await set()
      const client = await stage.identify(stage.account())
      client.raw(JSON.stringify({ op, d: {} }))
      expect(await client.closed).toStrictEqual({ code: 4001, reason: 'Unknown opcode' })
    },
  )

  it('with op 28 whose d is not an object is closed 4001, whatever the session can do', async () => {
    await set()
    const client = await stage.identify(stage.account(), { flags: 4 })
    client.send(28, [])
    expect(await client.closed).toStrictEqual({ code: 4001, reason: 'Unknown opcode' })
  })

  it.each([4, 8, 13, 28])('with op %i is read and dropped', async (op) => {
    await set()
    const client = await stage.identify(stage.account(), { flags: 4 })
    client.send(op, { guild_id: '1', query: '', limit: 0 })
    client.send(1, null)
    await client.op(11)
    expect(client.payloads).toHaveLength(3)
  })
})

describe('too much', () => {
  it('of a connection within a minute is closed 4008', async () => {
    await set({ payloadsPerMinute: { ...gatewayLimits.payloadsPerMinute, connection: 3 } })
    const client = await stage.greet()
    const beat = async (times: number): Promise<void> => {
      for (let turn = 0; turn < times; turn += 1) client.send(1, null)
      for (let turn = 0; turn < times; turn += 1) await client.op(11)
    }
    await beat(2)
    stage.clock.advance(40_000)
    await beat(1)
    stage.clock.advance(20_000)
    await beat(2)
    client.send(1, null)
    expect(await client.closed).toStrictEqual({ code: 4008, reason: 'Rate limited' })
  })

  it('of a connection in websocket pings is closed 4008 too', async () => {
    await set({ payloadsPerMinute: { ...gatewayLimits.payloadsPerMinute, connection: 3 } })
    const client = await stage.greet()
    for (let turn = 0; turn < 4; turn += 1) client.socket.ping()
    expect(await client.closed).toMatchObject({ code: 4008 })
  })

  it('of a session over several connections is closed 4008', async () => {
    await set({ payloadsPerMinute: { ...gatewayLimits.payloadsPerMinute, session: 3 } })
    const account = stage.account()
    const first = await stage.identify(account)
    first.send(1, null)
    first.send(1, null)
    await first.op(11)
    const second = await stage.resume(account, first.sessionId, 1)
    await second.dispatch('RESUMED')
    second.send(1, null)
    second.send(1, null)
    expect(await second.closed).toStrictEqual({ code: 4008, reason: 'Rate limited' })
  })

  it('of an address is closed 4008', async () => {
    await set({ payloadsPerMinute: { ...gatewayLimits.payloadsPerMinute, ip: 2 } })
    const [one, other] = [await stage.greet(), await stage.greet()]
    one.send(1, null)
    await one.op(11)
    other.send(1, null)
    other.send(1, null)
    expect(await other.closed).toStrictEqual({ code: 4008, reason: 'Rate limited' })
  })

  it('of Identifies from an address is dropped without an answer', async () => {
    await set({ identifiesPerIpAndMinute: 1 })
    await stage.identify(stage.account())
    const client = await stage.greet()
    const account = stage.account()
    client.send(2, identifyOf(account))
    client.send(1, null)
    await client.op(11)
    expect(client.payloads).toHaveLength(2)
    stage.clock.advance(60_000)
    await stage.identify(account)
  })

  it('of sockets from an address is closed 4008, until one of them is gone', async () => {
    await set({ connectionsPerIp_max: 2 })
    const first = await stage.greet()
    await stage.greet()
    const third = stage.connect()
    expect(await third.closed).toStrictEqual({ code: 4008, reason: 'Too many connections' })
    expect(third.payloads).toStrictEqual([])
    first.close()
    await first.closed
    await stage.stats(({ connections }) => connections === 1)
    await stage.greet()
  })

  it('in all is refused with 503', async () => {
    await set({ connections_max: 1 })
    await stage.greet()
    expect(await stage.connect().closed).toMatchObject({ code: 1006 })
  })

  it('does not exist while the rate limits are off', async () => {
    await set({ connectionsPerIp_max: 1, payloadsPerMinute: { connection: 1, session: 1, ip: 1 } }, false)
    const account = stage.account()
    for (const client of [await stage.identify(account), await stage.identify(account)]) {
      for (let turn = 0; turn < 20; turn += 1) client.send(1, null)
      await client.op(11)
    }
  })
})
