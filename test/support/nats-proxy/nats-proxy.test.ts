import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager, type JsMsg } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectNats } from '../../../adapters/bus/nats/connect.ts'
import { natsIsMissing, natsSuite, startNatsServer, type NatsServer } from '../nats-server.ts'
import { startNatsProxy, type NatsProxy } from './nats-proxy.ts'

const seed = 17

describe.skipIf(natsIsMissing)(natsSuite('The NATS proxy'), () => {
  let server: NatsServer
  let proxy: NatsProxy
  let direct: NatsConnection
  let through: NatsConnection
  beforeEach(async () => {
    server = await startNatsServer()
    proxy = await startNatsProxy(Number(new URL(server.url).port), seed)
    direct = await connectNats({ servers: [server.url], name: 'direct' })
    through = await connectNats({ servers: [proxy.url], name: 'through' })
    await (await jetstreamManager(direct)).streams.add({ name: 'letters', subjects: ['letter.>'] })
  })
  afterEach(async () => {
    await through.close()
    await direct.close()
    await proxy.close()
    await server.stop()
  })

  /** What a plain consumer behind the proxy receives of a number of messages: no library repairs what goes wrong. */
  async function letters(count: number, expected: number): Promise<readonly JsMsg[]> {
    const got: JsMsg[] = []
    await (
      await jetstreamManager(direct)
    ).consumers.add('letters', {
      durable_name: 'plain',
      deliver_subject: 'inbox.letters',
      deliver_policy: DeliverPolicy.All,
      ack_policy: AckPolicy.None,
    })
    const consumer = await jetstream(through).consumers.getPushConsumer('letters', 'plain')
    await consumer.consume({ callback: (message) => void got.push(message) })
    for (let letter = 0; letter < count; letter += 1)
      await jetstream(direct).publish(`letter.${letter}`, `letter ${letter} ☃`)
    await expect.poll(() => got.length).toBeGreaterThanOrEqual(expected)
    await direct.flush()
    await through.flush()
    return got
  }

  const sequences = (got: readonly JsMsg[]): readonly number[] => got.map(({ seq }) => seq)
  const deliveries = (got: readonly JsMsg[]): readonly number[] => got.map(({ info }) => info.deliverySequence)
  const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1)

  it('passes on everything that it is not told to spoil, to the byte', async () => {
    const got = await letters(50, 50)
    expect(sequences(got)).toEqual(upTo(50))
    expect(got.map(({ data }) => Buffer.from(data).toString('utf8'))).toEqual(
      upTo(50).map((number) => `letter ${number - 1} ☃`),
    )
    expect(proxy.counts).toEqual({ delivered: 50, lost: 0, repeated: 0, swapped: 0 })
  })

  it('loses some messages', async () => {
    proxy.fault({ kind: 'lose', percent: 50 })
    const got = await letters(40, 1)
    await expect.poll(() => proxy.counts.delivered).toBe(40)
    await expect.poll(() => got.length).toBe(40 - proxy.counts.lost)
    expect(proxy.counts.lost).toBeGreaterThan(8)
    expect(proxy.counts.lost).toBeLessThan(32)
    expect(deliveries(got)).toEqual(sequences(got))
  })

  it('and without a trace in the numbers of the deliveries', async () => {
    proxy.fault({ kind: 'lose', percent: 50 }, { isTraceless: true })
    const got = await letters(40, 1)
    await expect.poll(() => proxy.counts.delivered).toBe(40)
    await expect.poll(() => got.length).toBe(40 - proxy.counts.lost)
    expect(deliveries(got)).toEqual(upTo(got.length))
  })

  it('repeats each message', async () => {
    proxy.fault({ kind: 'repeat' }, { isTraceless: true })
    const got = await letters(20, 40)
    expect(sequences(got)).toEqual(upTo(20).flatMap((number) => [number, number]))
    expect(deliveries(got)).toEqual(upTo(40))
  })

  it('swaps neighbours, and lets the last one of an odd number through alone', async () => {
    proxy.fault({ kind: 'swap', percent: 100 })
    const publishing = jetstream(direct)
    for (let letter = 0; letter < 5; letter += 1) await publishing.publish(`letter.${letter}`)
    const got = await letters(0, 5)
    expect(sequences(got)).toEqual([2, 1, 4, 3, 5])
    expect(proxy.counts.swapped).toBe(2)
  })
})
