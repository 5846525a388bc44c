import { setTimeout as pause } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NatsConsumer } from '../../../adapters/bus/nats/consumer.ts'
import type { CarriedEvent } from '../../../adapters/bus/nats/event-message.ts'
import { streamName } from '../../../adapters/bus/nats/subjects.ts'
import { natsIsMissing, natsSuite, startNatsServer, type NatsServer } from '../../support/nats-server.ts'
import { faultsIn, listen, noFaults } from '../../adapters/bus/support/heard.ts'
import { natsColumn, type ConsumerOptions, type NatsColumn } from '../../adapters/bus/support/nats-column.ts'

describe.skipIf(natsIsMissing)(natsSuite('A consumer of NATS hands on each event once, in order,'), () => {
  let server: NatsServer
  let column: NatsColumn
  let connection: NatsConnection
  beforeEach(async () => {
    server = await startNatsServer()
    column = natsColumn(server.url)
    connection = await column.connect()
    column.publisher(connection)
  })
  afterEach(async () => {
    await column.close()
    await server.stop()
  })

  const consuming = async (options: ConsumerOptions = {}): Promise<NatsConsumer> => {
    const consumer = await column.consumer(await column.connect(), options)
    await column.warmUp(consumer)
    return consumer
  }

  /** Appends `batches` times 50 events, a few milliseconds apart, and returns the faults in what the consumer delivered. */
  async function faultsOver(consumer: NatsConsumer, batches: number, meanwhile?: (batch: number) => Promise<void>) {
    const start = consumer.handled
    const heard = listen(consumer)
    for (let batch = 0; batch < batches; batch++) {
      await column.append(50)
      await meanwhile?.(batch)
      await pause(2)
    }
    await heard.until(await column.store.end())
    return faultsIn(heard, column.store, start)
  }

  it('and asks the store for nothing while NATS does its work', async () => {
    const consumer = await consuming({ bounds: { silence_ms: 5000 } })
    const { refilled_events } = consumer.counts
    expect(await faultsOver(consumer, 40)).toEqual(noFaults)
    expect(consumer.counts.refilled_events).toBe(refilled_events)
  })

  it('when 5% of the messages get lost (F12)', async () => {
    const dropped = { events: 0 }
    const lossy = (receive: (carried: CarriedEvent) => void) => (carried: CarriedEvent) => {
      if (Math.random() < 0.05) dropped.events++
      else receive(carried)
    }
    const consumer = await consuming({ fault: lossy })
    expect(await faultsOver(consumer, 60)).toEqual(noFaults)
    expect(dropped.events).toBeGreaterThan(50)
    expect(consumer.counts.refilled_events).toBeGreaterThanOrEqual(dropped.events)
  })

  it('when the newest message gets lost, which no later one tells of (F12)', async () => {
    const fault = { isOn: false }
    const deaf = (receive: (carried: CarriedEvent) => void) => (carried: CarriedEvent) => {
      if (!fault.isOn) receive(carried)
    }
    const consumer = await consuming({ fault: deaf })
    fault.isOn = true
    expect(await faultsOver(consumer, 1)).toEqual(noFaults)
  })

  it('when each message comes twice, at once or much later (F14)', async () => {
    const old: CarriedEvent[] = []
    const repeating = (receive: (carried: CarriedEvent) => void) => (carried: CarriedEvent) => {
      old.push(carried)
      receive(carried)
      receive(carried)
      for (const earlier of old.length > 100 ? old.splice(0, 20) : []) receive(earlier)
    }
    const consumer = await consuming({ fault: repeating, bounds: { silence_ms: 5000 } })
    const { refilled_events } = consumer.counts
    expect(await faultsOver(consumer, 40)).toEqual(noFaults)
    expect(consumer.counts.repeated_events).toBeGreaterThan(2000)
    expect(consumer.counts.refilled_events).toBe(refilled_events)
  })

  it('when neighbours are swapped, which needs no look into the store (F15)', async () => {
    const fault = { isOn: false }
    const kept: CarriedEvent[] = []
    const swapping = (receive: (carried: CarriedEvent) => void) => (carried: CarriedEvent) => {
      kept.unshift(carried)
      if (!fault.isOn || kept.length === 2) for (const one of kept.splice(0)) receive(one)
    }
    const consumer = await consuming({ fault: swapping, bounds: { hold_ms: 2000, silence_ms: 5000 } })
    const { refilled_events } = consumer.counts
    fault.isOn = true
    expect(await faultsOver(consumer, 40)).toEqual(noFaults)
    expect(consumer.counts.refilled_events).toBe(refilled_events)
  })

  it('when NATS is killed and comes back (F11)', async () => {
    const consumer = await consuming()
    const faults = await faultsOver(consumer, 90, async (batch) => {
      if (batch === 30) await server.kill()
      if (batch === 60) await server.restart()
    })
    expect(faults).toEqual(noFaults)
    await column.warmUp(consumer)
  })

  it('when NATS is killed, loses all that it stored, and comes back (F11)', async () => {
    const consumer = await consuming()
    const faults = await faultsOver(consumer, 90, async (batch) => {
      if (batch === 30) await server.wipe()
      if (batch === 60) await server.restart()
    })
    expect(faults).toEqual(noFaults)
    await column.warmUp(consumer)
  })

  it('when the stream is deleted under its feet (F11)', async () => {
    const consumer = await consuming()
    const faults = await faultsOver(consumer, 60, async (batch) => {
      if (batch === 30) await (await jetstreamManager(connection)).streams.delete(streamName)
    })
    expect(faults).toEqual(noFaults)
    await column.warmUp(consumer)
  })

  it('while NATS is away, and starts without it', async () => {
    const away = await column.connect()
    await server.kill()
    const consumer = await column.consumer(away)
    expect(await faultsOver(consumer, 5)).toEqual(noFaults)
    await server.restart()
    await column.warmUp(consumer)
  })
})
