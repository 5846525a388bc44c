import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { identifyOf } from '../support/facts.ts'
import { openStage, type Account, type Place, type Stage } from '../support/stage.ts'
import { ZstdClient } from '../support/zstd-client.ts'

/** Compressed connections (rules/gateway#compression). */

let stage: Stage
let ada: Account
let home: Place
beforeEach(async () => {
  stage = await openStage({ limits: { compressed_max: 2 } })
  ada = stage.account()
  home = stage.found(ada)
})
afterEach(() => stage.end())

const query = 'v=1&encoding=json&compress=zstd-stream&stream=1'
const clients: ZstdClient[] = []
afterEach(() => {
  for (const { socket } of clients.splice(0)) socket.terminate()
})

function connect(asked = query): ZstdClient {
  const client = new ZstdClient(stage.url(asked))
  clients.push(client)
  return client
}

async function identified(): Promise<ZstdClient> {
  const client = connect()
  await client.op(10)
  client.send(2, identifyOf(ada))
  await client.dispatch('READY')
  return client
}

describe('a compressed connection', () => {
  it('has one zstd stream for each direction, and one message for each payload, Hello among them', async () => {
    const [client, plain] = [await identified(), await stage.identify(ada)]
    const [own, others] = await stage.told(home, client, plain)
    expect(own).toStrictEqual(others)
    client.send(1, client.sequence)
    await client.op(11)
    expect(client.received_bytes).toBeLessThan(JSON.stringify(client.payloads).length / 2)
    expect(stage.gateway.stats().compressed).toBe(1)
  })

  it('is resumed on another one, compressed or not', async () => {
    const client = await identified()
    const { sessionId, sequence } = client
    client.socket.terminate()
    await stage.stats(({ connections }) => connections === 0)
    const marks = [stage.mark(home), stage.mark(home), stage.mark(home)]
    const back = connect()
    await back.op(10)
    back.send(6, { token: ada.token, session_id: sessionId, seq: sequence })
    await back.dispatch('RESUMED')
    expect(back.dispatches.map(({ t, s, d }) => [t, s, d['afk_timeout']])).toStrictEqual([
      ...marks.map((mark, index) => ['GUILD_UPDATE', sequence + 1 + index, mark]),
      ['RESUMED', sequence + 3, undefined],
    ])
    const plain = await stage.resume(ada, sessionId, sequence + 1)
    await plain.dispatch('RESUMED')
    expect(plain.dispatches.map(({ s }) => s)).toStrictEqual([sequence + 2, sequence + 3, sequence + 3])
    expect((await back.closed).code).toBe(4000)
    expect(back.payloads.at(-1)?.op).toBe(7)
  })

  it.each(['compress=zstd-stream', 'compress=zlib-stream&stream=1', 'compress=none&stream=1', 'stream=true'])(
    'is not what %s asks for',
    async (asked) => {
      const client = stage.connect(`v=1&${asked}`)
      await client.op(10)
      expect(stage.gateway.stats().compressed).toBe(0)
    },
  )

  it('is closed with 4002 if there are too many, until one of them has ended', async () => {
    const [first] = [await identified(), await identified()]
    const third = connect(query.replace('stream=1', 'stream=true'))
    expect(await third.closed).toStrictEqual({ code: 4002, reason: 'Compression failed: zstd-stream' })
    expect(third.payloads).toStrictEqual([])
    first.socket.terminate()
    await stage.stats(({ compressed }) => compressed === 1)
    await identified()
  })

  it('is closed with 4002 for what is not zstd, and for what is too long once it is decompressed', async () => {
    const [broken, long] = [await identified(), await identified()]
    broken.uncompressed(Buffer.from('{"op":1,"d":null}'))
    expect(await broken.closed).toStrictEqual({ code: 4002, reason: 'Decompression failed' })
    long.raw(' '.repeat(4097))
    expect(await long.closed).toStrictEqual({ code: 4002, reason: 'Payload too large' })
  })

  it('is closed before much of a bomb is decompressed', async () => {
    const client = await identified()
    client.raw(Buffer.alloc(8 * 1024 * 1024))
    expect(await client.closed).toStrictEqual({ code: 4002, reason: 'Payload too large' })
    await stage.stats(({ connections }) => connections === 0)
    expect(client.sent_bytes).toBeLessThan(4096)
    expect(stage.errors).toStrictEqual([])
  })

  it('takes a payload of exactly the most bytes', async () => {
    const client = await identified()
    client.raw(JSON.stringify({ op: 1, d: null }).padEnd(4096, ' '))
    await client.op(11)
  })
})
