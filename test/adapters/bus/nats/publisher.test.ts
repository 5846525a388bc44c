import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { NatsConnection } from '@nats-io/transport-node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { accountHeader } from '../../../../adapters/bus/nats/event-message.ts'
import { PublisherCheckpointMoved } from '../../../../adapters/bus/nats/publisher.ts'
import {
  memoryPublisherCheckpoint,
  type PublisherCheckpoint,
} from '../../../../adapters/bus/nats/publisher-checkpoint.ts'
import { beforeAll, noStream, type Position } from '../../../../domain/kernel/position.ts'
import {
  accountStream,
  anyAccount,
  anyStream,
  collect,
  newEvent,
  redeemed,
  registration,
} from '../../../contract/sample-events.ts'
import { natsIsMissing, natsSuite, startNatsServer, type NatsServer } from '../../../support/nats-server.ts'
import { eventually, faultsIn, listen, noFaults } from '../support/heard.ts'
import { natsColumn, type NatsColumn } from '../support/nats-column.ts'
import { carriedBy, dumpStream, textOf } from '../support/stream-dump.ts'

describe.skipIf(natsIsMissing)(natsSuite('The publisher'), () => {
  let server: NatsServer
  let column: NatsColumn
  let connection: NatsConnection
  beforeEach(async () => {
    server = await startNatsServer()
    column = natsColumn(server.url)
    connection = await column.connect()
  })
  afterEach(async () => {
    await column.close()
    await server.stop()
  })

  /** Publishes until everything in the store is acknowledged. */
  async function publishAll(checkpoint?: PublisherCheckpoint): Promise<void> {
    const publisher = column.publisher(await column.connect(), checkpoint && { checkpoint })
    const end = await column.store.end()
    await eventually('everything to be acknowledged', () => publisher.position === end)
    await publisher.stop()
  }

  it('publishes each event with its position and that of the one before, in their order', async () => {
    await column.append(700)
    await publishAll()
    const carried = carriedBy(await dumpStream(connection))
    expect(carried.map(({ event }) => event)).toEqual(await collect(column.store.readAll(beforeAll)))
    expect(carried.map(({ after }) => after)).toEqual([-1n, ...carried.map(({ position }) => position)].slice(0, -1))
  })

  it('gives an event the subject of its guild, or else of its account, and names the account in a header', async () => {
    const account = anyAccount()
    await column.store.append(anyStream(), noStream, [
      newEvent({ guildId: '17', accountId: account }),
      newEvent({ guildId: '18' }),
      newEvent({ guildId: 'not.an.id' }),
    ])
    await column.store.append(accountStream(account), noStream, [registration(account)])
    await publishAll()
    const messages = await dumpStream(connection)
    expect(messages.map(({ subject, headers }) => [subject, headers?.get(accountHeader)])).toEqual([
      ['guildhall.guild.17', account],
      ['guildhall.guild.18', ''],
      ['guildhall.other', ''],
      [`guildhall.account.${account}`, account],
    ])
  })

  it('lets nothing personal out: not onto the wire, and not to those who listen', async () => {
    const canaries = [
      'canary.mail@example.org',
      '$argon2id$canary',
      '1931-05-09',
      '203.0.113.77',
      'CanaryBrowser/7',
      'canary shouted',
    ]
    const [email, passwordHash, dateOfBirth, ip, userAgent, reason] = canaries
    const consumer = await column.consumer(connection)
    const heard = listen(consumer)
    const account = anyAccount()
    const started = newEvent({ accountId: account, tokenHash: 'public', startedAt: 'now', ip, userAgent })
    await column.store.append(accountStream(account), noStream, [
      registration(account, { email, passwordHash, dateOfBirth }),
      { ...started, type: 'SessionStarted' },
    ])
    const kicked = newEvent(
      { guildId: '17', accountId: account, kickedAt: 'now' },
      reason === undefined ? {} : { reason },
    )
    const membership = `membership-17-${account}` as const
    await column.store.append(membership, noStream, [{ ...kicked, type: 'MemberKicked' }])
    const target = { type: 'user', id: account }
    const action = {
      entryId: '1',
      commandId: '2',
      adminId: '3',
      credential: 'session',
      action: 'change_username',
      target,
    }
    const claimed = newEvent({ username: 'ada', discriminator: 1, accountId: account }, {
      reason,
      adminAction: action,
    } as never)
    await column.store.append(`handle-${account}`, noStream, [{ ...claimed, type: 'HandleClaimed' }])
    // Once from the store, before there is anything on NATS, and once over NATS.
    await heard.until(await column.store.end())
    column.publisher(connection)
    await column.warmUp(consumer)
    const messages = await dumpStream(connection)
    const texts = [
      ...messages.map(textOf),
      JSON.stringify(heard.events.map(({ data, metadata }) => ({ data, metadata }))),
    ]
    for (const text of texts) for (const canary of canaries) expect(text).not.toContain(canary)
    for (const type of ['SessionStarted', 'MemberKicked', 'HandleClaimed']) expect(texts.join('\n')).toContain(type)
    expect(heard.events[0]).toMatchObject({ data: { username: 'ada', email: null, passwordHash: null } })
    expect(
      carriedBy(messages)
        .slice(0, 3)
        .map(({ event }) => event),
    ).toEqual(heard.events.slice(0, 3))
  })

  it('publishes what is too large for a message without its body, and it is read from the store', async () => {
    column.publisher(connection)
    const consumer = await column.consumer(connection, { bounds: { silence_ms: 5000 } })
    await column.warmUp(consumer)
    const [heard, start] = [listen(consumer), consumer.handled]
    // Larger than a message may be, and smaller than an append may be.
    const text = 'x'.repeat(1024 ** 2 - 2048)
    const stream = anyStream()
    await column.store.append(stream, noStream, [newEvent()])
    await column.store.append(stream, 0, [newEvent({ text })])
    await column.store.append(stream, 1, [newEvent()])
    await heard.until(await column.store.end())
    expect(await faultsIn(heard, column.store, start)).toEqual(noFaults)
    expect(heard.events[1]?.data).toEqual({ ...redeemed, text })
    expect(column.errors).toEqual([])
  })

  it('publishes nothing before the read models hold it', async () => {
    const shown = { position: -1n }
    const visible = (position: Position) => eventually('the read models', () => shown.position >= position)
    const publisher = column.publisher(connection, { visible })
    const end = await column.append(10)
    await pause(100)
    expect(publisher.position).toBe(beforeAll)
    shown.position = end
    await eventually('the acknowledgements', () => publisher.position === end)
  })

  it('starts at the end of the store where nothing was ever published', async () => {
    await column.append(5)
    const publisher = column.publisher(connection, { checkpoint: memoryPublisherCheckpoint() })
    await eventually('the first checkpoint', async () => publisher.position === (await column.store.end()))
    const end = await column.append(2)
    await eventually('the acknowledgements', () => publisher.position === end)
    expect(await dumpStream(connection)).toHaveLength(2)
  })

  it('notices another one that publishes too, and does no harm', async () => {
    const checkpoint = memoryPublisherCheckpoint(beforeAll)
    const consumer = await column.consumer(connection)
    const heard = listen(consumer)
    const rivals = [
      column.publisher(connection, { checkpoint }),
      column.publisher(await column.connect(), { checkpoint }),
    ]
    for (let count = 0; count < 40; count++) {
      await column.append(25)
      await pause(5)
    }
    const end = await column.store.end()
    await heard.until(end)
    await eventually('the acknowledgements', async () => (await checkpoint.load()) === end)
    await Promise.all(rivals.map((rival) => rival.stop()))
    expect(await faultsIn(heard, column.store, beforeAll)).toEqual(noFaults)
    expect(column.errors.every((error) => error instanceof PublisherCheckpointMoved)).toBe(true)
  })

  it('killed over and over, has brought every event to NATS at least once, and consumers hear it once (F5)', async () => {
    const held = memoryPublisherCheckpoint(beforeAll)
    const consumer = await column.consumer(connection)
    const heard = listen(consumer)
    const appending = { isOver: false, work: Promise.resolve() }
    appending.work = (async () => {
      for (let count = 0; count < 120; count++) {
        await column.append(10)
        await pause(5)
      }
      appending.isOver = true
    })()
    for (let kills = 0; kills < 12 || !appending.isOver; kills++) await publishUntilKilled(held)
    await appending.work
    await publishAll(held)
    await heard.until(await column.store.end())
    const published = new Set(carriedBy(await dumpStream(connection)).map(({ position }) => position))
    const events = await collect(column.store.readAll(beforeAll))
    expect(events.filter(({ position }) => !published.has(position))).toEqual([])
    expect(await faultsIn(heard, column.store, beforeAll)).toEqual(noFaults)
  })

  /** A publisher that dies after some milliseconds: from then on it reaches neither NATS nor its checkpoint. */
  async function publishUntilKilled(held: PublisherCheckpoint): Promise<void> {
    const life = { isOver: false }
    const whileAlive = async <Result>(call: () => Promise<Result>): Promise<Result> => {
      if (life.isOver) throw new Error('killed')
      return call()
    }
    const checkpoint: PublisherCheckpoint = {
      load: () => whileAlive(() => held.load()),
      move: (expected, position) => whileAlive(() => held.move(expected, position)),
    }
    const mortal = await column.connect()
    const publisher = column.publisher(mortal, { checkpoint })
    await pause(randomInt(5, 60))
    life.isOver = true
    await mortal.close()
    await publisher.stop()
  }
})
