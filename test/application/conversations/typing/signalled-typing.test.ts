import { describe, expect, it } from 'vitest'
import { connectNats } from '../../../../adapters/bus/nats/connect.ts'
import { natsSignals } from '../../../../adapters/bus/nats/nats-signals.ts'
import { inProcessSignals } from '../../../../adapters/bus/in-process-signals.ts'
import { signalledTyping } from '../../../../application/conversations/typing/signalled-typing.ts'
import type { TypingStart } from '../../../../application/ports/typing.ts'
import { ada, channel, home } from '../../../../domain/testing/people.ts'
import { natsIsMissing, natsSuite, startNatsServer } from '../../../support/nats-server.ts'

const starts: readonly TypingStart[] = [
  { accountId: ada, place: { channelId: channel(1), channelType: 0, guildId: home, parentId: null }, at_s: 1 },
  { accountId: ada, place: { channelId: channel(2), channelType: 12, guildId: home, parentId: channel(1) }, at_s: 2 },
  { accountId: ada, place: { channelId: channel(3), channelType: 1, guildId: null, parentId: null }, at_s: 3 },
]

describe('who is writing, over signals', () => {
  it('arrives as it was sent, and a payload that cannot be read is reported and dropped', async () => {
    const errors: unknown[] = []
    const heard: TypingStart[] = []
    const signals = inProcessSignals((error) => void errors.push(error))
    const typing = signalledTyping(signals)
    const stop = typing.subscribe((start) => void heard.push(start))
    for (const start of starts) typing.start(start)
    signals.publish('typing', { accountId: 'Ada', place: {}, at_s: 1 })
    await expect.poll(() => errors.length).toBe(1)
    expect(heard).toStrictEqual(starts)
    stop()
  })
})

describe.skipIf(natsIsMissing)(natsSuite('who is writing, over NATS'), () => {
  it('reaches the other processes', async () => {
    const server = await startNatsServer()
    const errors: unknown[] = []
    const connect = () => connectNats({ servers: [server.url], name: 'test' })
    const [one, other] = [await connect(), await connect()]
    const over = (connection: typeof one) =>
      signalledTyping(natsSignals({ connection, onError: (error) => void errors.push(error) }))
    const heard: TypingStart[] = []
    over(other).subscribe((start) => void heard.push(start))
    await other.flush()
    for (const start of starts) over(one).start(start)
    await expect.poll(() => heard).toStrictEqual(starts)
    await Promise.all([one.close(), other.close()])
    await server.stop()
    expect(errors).toStrictEqual([])
  })
})
