import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { identifyOf } from '../support/facts.ts'
import { openStage, type Account, type Place, type Stage } from '../support/stage.ts'

let stage: Stage
let stalled: Socket | undefined
afterEach(async () => {
  stalled?.destroy()
  await stage.end()
})

/** A hand-made websocket that identifies and reads nothing after its READY. */
async function identifyAndStall(account: Account): Promise<void> {
  const socket = connect({ port: stage.port, host: '127.0.0.1' })
  stalled = socket
  socket.on('error', () => undefined)
  const key = 'AAAAAAAAAAAAAAAAAAAAAA=='
  const head = ['Upgrade: websocket', 'Connection: Upgrade', `Sec-WebSocket-Key: ${key}`, 'Sec-WebSocket-Version: 13']
  socket.write(`GET /gateway?v=1 HTTP/1.1\r\nHost: here\r\n${head.join('\r\n')}\r\n\r\n`)
  await readUntil(socket, '"op":10')
  socket.write(masked(JSON.stringify({ op: 2, d: identifyOf(account) })))
  await readUntil(socket, '"READY"')
  socket.pause()
}

function readUntil(socket: Socket, text: string): Promise<void> {
  return new Promise((resolve) => {
    let got = ''
    const read = (data: Buffer): void => {
      got += data.toString()
      if (!got.includes(text)) return
      socket.off('data', read)
      resolve()
    }
    socket.on('data', read)
  })
}

/** A client's text frame below 64 KiB, masked with zeros. */
function masked(text: string): Buffer {
  const head = Buffer.from([0x81, 0xfe, 0, 0, 0, 0, 0, 0])
  head.writeUInt16BE(Buffer.byteLength(text), 2)
  return Buffer.concat([head, Buffer.from(text)])
}

function change(home: Place, size: number): void {
  stage.happen({
    type: 'GuildSettingsChanged',
    data: { guildId: home.id, settings: { contentWarningText: 'x'.repeat(size) } },
  })
}

describe('a client that does not read', () => {
  it('is cut off once too much waits for it, while others get everything', async () => {
    stage = await openStage({ limits: { backlog_bytes_max: 1024 * 1024 } })
    const ada = stage.account()
    const home = stage.found(ada)
    const healthy = await stage.identify(ada)
    await identifyAndStall(ada)
    let sent = 0
    while (stage.gateway.stats().slowClients === 0 && sent < 1000) {
      change(home, 50_000)
      await healthy.dispatch('GUILD_UPDATE')
      sent += 1
    }
    expect(stage.gateway.stats()).toMatchObject({ slowClients: 1, connections: 1, sessions: 2 })
    expect(sent).toBeLessThan(1000)
    await stage.heard(home, healthy)
    expect(healthy.sequence).toBe(sent + 2)
  })

  it('keeps its session, which is replayed in full once it reads again', async () => {
    stage = await openStage({ limits: { backlog_bytes_max: 256 * 1024 }, rateLimits: false })
    const ada = stage.account()
    const home = stage.found(ada)
    change(home, 50_000)
    const client = await stage.identify(ada)
    const { sessionId } = client
    client.socket.pause()
    for (const size of [10, 50_000, 10]) change(home, size)
    // Answers that it requests but does not read are never replayed.
    const ask = (entry: object): void => client.send(14, { subscriptions: { [home.id]: entry } })
    while (stage.gateway.stats().slowClients === 0) {
      ask({ active: false })
      ask({ active: true })
      await stage.turn()
    }
    const back = await stage.resume(ada, sessionId, 1)
    await back.dispatch('RESUMED')
    const replayed = back.dispatches.slice(0, -1)
    expect(replayed.map(({ t, s }) => [t, s])).toStrictEqual([2, 3, 4].map((s) => ['GUILD_UPDATE', s]))
  })

  it('is cut off before its first frame takes more memory than may wait', async () => {
    const limits = { backlog_bytes_max: 1024 * 1024, readyGuilds_bytes_max: Number.POSITIVE_INFINITY }
    stage = await openStage({ limits })
    const ada = stage.account()
    change(stage.found(ada), 2 * 1024 * 1024)
    const client = await stage.greet()
    client.send(2, identifyOf(ada))
    expect(await client.closed).toMatchObject({ code: 1006 })
    expect(stage.gateway.stats().slowClients).toBe(1)
  })
})
