import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { acceptUpgrades } from '../../../gateway/connections/upgrades.ts'
import { openStage, type Stage } from '../support/stage.ts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(async () => {
  await stage.end()
})

describe('opening the socket', () => {
  it('is answered with Hello and the heartbeat interval', async () => {
    const client = stage.connect()
    expect(await client.op(10)).toStrictEqual({ op: 10, d: { heartbeat_interval: 41_250 } })
  })

  it.each(['v=', 'v=2', 'v=01', 'v=2&encoding=json'])(
    'with %j instead of v=1 is closed 4012 before Hello',
    async (query) => {
      const client = stage.connect(query)
      expect(await client.closed).toStrictEqual({ code: 4012, reason: 'Invalid API version' })
      expect(client.payloads).toStrictEqual([])
    },
  )

  it.each(['', 'encoding=json'])('with %j, without a version, means version 1', async (query) => {
    expect(await stage.connect(query).op(10)).toMatchObject({ op: 10 })
  })

  it('means version 1 with a version that the settings name beside it', async () => {
    const named = await openStage({ clientVersions: ['10'] })
    expect(await named.connect('v=10&encoding=json').op(10)).toMatchObject({ op: 10 })
    expect(await named.connect('v=9').closed).toMatchObject({ code: 4012 })
    await named.end()
  })

  it('uses plain JSON whatever encoding is requested', async () => {
    const client = stage.connect('v=1&encoding=etf&compress=zlib-stream')
    expect(await client.op(10)).toMatchObject({ op: 10 })
  })

  it.each(['/', '/gateway/elsewhere', '/v1/gateway'])('at %s is refused with 404', async (path) => {
    expect(await upgradeStatus(path)).toBe(404)
  })

  it('ends with its refusal, though the client sends more and never closes its side', async () => {
    const server = createServer()
    const nobody = { isOpen: () => false, turnsAway: () => undefined, arrive: () => undefined }
    acceptUpgrades({ server, ...nobody, onError: () => undefined })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    client.on('error', () => undefined)
    client.write('GET /gateway HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nmore')
    const [answer] = (await once(client, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 503 /)
    await expect.poll(() => promisify(server.getConnections.bind(server))()).toBe(0)
    client.destroy()
    server.close()
  })
})

function upgradeStatus(path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'AAAA',
    }
    request({ port: stage.port, path, headers }, ({ statusCode }) => resolve(statusCode))
      .on('error', reject)
      .end()
  })
}

describe('heartbeats', () => {
  it('are acknowledged before a session exists, whatever they contain', async () => {
    const client = await stage.greet()
    for (const d of [null, 5, 'anything', {}]) {
      client.send(1, d)
      expect(await client.op(11)).toStrictEqual({ op: 11 })
    }
  })

  it('are requested after 41250 ms of silence; without one the connection ends 4009 after 55000 ms', async () => {
    const client = await stage.greet()
    stage.clock.advance(41_000)
    stage.clock.advance(250)
    expect(await client.op(1)).toStrictEqual({ op: 1, d: null })
    stage.clock.advance(13_500)
    client.send(9)
    stage.clock.advance(250)
    expect(await client.closed).toStrictEqual({ code: 4009, reason: 'Heartbeat timeout' })
    expect(client.payloads).toHaveLength(2)
  })

  it('keep a connection open, and nothing else does', async () => {
    const client = await stage.identify(stage.account())
    for (let round = 0; round < 5; round += 1) {
      stage.clock.advance(41_000)
      client.send(1, null)
      await client.op(11)
    }
    for (let round = 0; round < 4; round += 1) {
      stage.clock.advance(13_750)
      client.send(15, { guild_ids: [] })
      await client.dispatch('GUILD_COUNTS_UPDATE')
    }
    stage.clock.advance(13_750)
    expect(await client.closed).toMatchObject({ code: 4009 })
  })

  it('of a session end it 4007 if their sequence is no integer', async () => {
    const client = await stage.identify(stage.account())
    client.send(1, 'one')
    expect(await client.closed).toStrictEqual({ code: 4007, reason: 'Invalid sequence' })
  })

  it('of a session with an older or a null sequence are acknowledged', async () => {
    const client = await stage.identify(stage.account())
    for (const d of [1, 0, null]) {
      client.send(1, d)
      await client.op(11)
    }
  })
})
