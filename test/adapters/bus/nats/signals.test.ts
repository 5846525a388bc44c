import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { closeNats, connectNats } from '../../../../adapters/bus/nats/connect.ts'
import { layStream, streamBounds } from '../../../../adapters/bus/nats/event-stream.ts'
import { inProcessSignals } from '../../../../adapters/bus/in-process-signals.ts'
import { natsSignals } from '../../../../adapters/bus/nats/nats-signals.ts'
import type { SignalPayload, Signals } from '../../../../application/ports/signals.ts'
import { signalBytes_max } from '../../../../adapters/bus/signal-encoding.ts'
import { SignalTooLarge } from '../../../../application/failures/signal-too-large.ts'
import { natsIsMissing, natsSuite, startNatsServer, type NatsServer } from '../../../support/nats-server.ts'
import { eventually } from '../support/heard.ts'
import { dumpStream } from '../support/stream-dump.ts'

interface OpenSignals {
  readonly here: Signals
  /** The same in another process, if there are several. */
  readonly there: Signals
  readonly errors: readonly unknown[]
  /** Resolves once the server knows of every listener so far: it keeps nothing for those it does not know yet. */
  known(): Promise<void>
  close(): Promise<void>
}

function signalsContract(name: string, open: () => Promise<OpenSignals>): void {
  describe(`${name}`, () => {
    let opened: OpenSignals
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(() => opened.close())

    it('are heard once by everyone who listens, and by nobody who stopped', async () => {
      const { here, there } = opened
      const heard: [string, SignalPayload][] = []
      here.subscribe('presence', (payload) => void heard.push(['here', payload]))
      there.subscribe('presence', (payload) => void heard.push(['there', payload]))
      const stop = there.subscribe('presence', (payload) => void heard.push(['stopped', payload]))
      stop()
      await opened.known()
      const said = [true, false].map((online) => ({ account: '1', online }))
      for (const payload of said) here.publish('presence', payload)
      const has = (who: string): boolean => heard.some(([by, { online }]) => by === who && online === false)
      // What was said last is heard last: nothing of the first can come behind it.
      await eventually('both to hear what was said last', () => has('here') && has('there'))
      expect(heard.toSorted(([one], [other]) => one.localeCompare(other))).toEqual(
        ['here', 'there'].flatMap((by) => said.map((payload) => [by, payload])),
      )
    })

    it('are heard after publishing returns, as a copy, and a listener that throws disturbs no other', async () => {
      const { here, errors } = opened
      const heard: SignalPayload[] = []
      here.subscribe('presence', () => {
        throw new Error('a listener failed')
      })
      here.subscribe('presence', (payload) => void heard.push(payload))
      await opened.known()
      const payload = { token: 'a' }
      here.publish('presence', payload)
      payload.token = 'b'
      expect(heard).toEqual([])
      await eventually('one to hear', () => heard.length === 1)
      expect(heard).toEqual([{ token: 'a' }])
      expect(errors).toEqual([new Error('a listener failed')])
    })

    it('are refused when they are too large', () => {
      const text = 'x'.repeat(signalBytes_max)
      expect(() => opened.here.publish('presence', { text })).toThrow(SignalTooLarge)
    })
  })
}

const nothing = () => Promise.resolve()

signalsContract('Signals of one process', () => {
  const errors: unknown[] = []
  const signals = inProcessSignals((error) => void errors.push(error))
  return Promise.resolve({ here: signals, there: signals, errors, known: nothing, close: nothing })
})

describe.skipIf(natsIsMissing)(natsSuite('With a nats-server'), () => {
  let server: NatsServer
  beforeEach(async () => {
    server = await startNatsServer()
  })
  afterEach(() => server.stop())

  const connect = () => connectNats({ servers: [server.url], name: 'test' })

  signalsContract('signals over NATS', async () => {
    const errors: unknown[] = []
    const onError = (error: unknown) => void errors.push(error)
    const connections = await Promise.all([connect(), connect()])
    const [here, there] = connections.map((connection) => natsSignals({ connection, onError }))
    if (!here || !there) throw new Error('two were connected')
    return {
      here,
      there,
      errors,
      known: async () => void (await Promise.all(connections.map((connection) => connection.flush()))),
      close: async () => void (await Promise.all(connections.map((connection) => connection.close()))),
    }
  })

  it('signals are not kept in the stream, and what is published while NATS is away is gone', async () => {
    const errors: unknown[] = []
    const connection = await connect()
    await layStream(connection, streamBounds)
    const signals = natsSignals({ connection, onError: (error) => void errors.push(error) })
    const heard: SignalPayload[] = []
    signals.subscribe('presence', (payload) => void heard.push(payload))
    await server.kill()
    await pause(100)
    signals.publish('presence', { said: 'while away' })
    await server.restart()
    await eventually('a signal to be heard again', async () => {
      signals.publish('presence', { said: 'back' })
      await pause(20)
      return heard.length > 0
    })
    expect(heard.filter(({ said }) => said !== 'back')).toEqual([])
    expect(await dumpStream(connection)).toEqual([])
    expect(errors).toEqual([])
    await connection.close()
  })

  it('what is said last is heard, and closing waits for no server that is away', async () => {
    const errors: unknown[] = []
    const onError = (error: unknown) => void errors.push(error)
    const [leaving, staying] = [await connect(), await connect()]
    const heard: SignalPayload[] = []
    natsSignals({ connection: staying, onError }).subscribe('presence', (payload) => void heard.push(payload))
    await staying.flush()
    natsSignals({ connection: leaving, onError }).publish('presence', { said: 'goodbye' })
    await closeNats(leaving)
    await closeNats(leaving)
    await eventually('the goodbye', () => heard.length > 0)
    await server.kill()
    await closeNats(staying)
    expect(staying.isClosed()).toBe(true)
    natsSignals({ connection: staying, onError }).publish('presence', { said: 'nothing' })
    expect(errors).toEqual([])
  })
})
