import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EventCatalogs } from '../../../domain/aggregates.ts'
import { openEventStoreDb } from '../../../adapters/event-store/eventstoredb/open-event-store.ts'
import { memoryEventStore } from '../../support/memory/memory-event-store.ts'
import { openPostgresEventStore } from '../../../adapters/event-store/postgres/open-event-store.ts'
import { postgresStoredEvents } from '../../../adapters/event-store/postgres/stored-events.ts'
import { memoryPersonalDataKeys } from '../../support/memory/memory-keys.ts'
import type { EventStore, NewEvent, RecordedEvent } from '../../../application/ports/event-store.ts'
import { beforeAll, noStream } from '../../../domain/kernel/position.ts'
import type { StoredEvent, StoredEvents } from '../../../application/ports/stored-events.ts'
import { isUnreadable } from '../../../application/failures/unreadable-event.ts'
import { UnreadableEvent } from '../../../application/failures/unreadable-event.ts'
import { streamName, type StreamName } from '../../../domain/streams.ts'
import { collect, metadata, newEvent, newEvents, take } from '../../contract/sample-events.ts'
import { startEventStoreDouble } from '../../support/eventstoredb-double/double.ts'
import { migratedDatabase } from '../../support/test-database.ts'

interface Opened {
  readonly store: EventStore
  readonly stored: StoredEvents
  close(): Promise<void>
}

const keys = memoryPersonalDataKeys()

const kinds: Readonly<Record<string, () => Promise<Opened>>> = {
  memory: async () => {
    const store = memoryEventStore({ keys })
    return { store, stored: store.stored, close: () => Promise.resolve() }
  },
  Postgres: async () => {
    const { connection, database, notifier, close } = await migratedDatabase()
    const store = openPostgresEventStore({ database, connection, notifier, keys })
    return { store, stored: postgresStoredEvents(database), close: () => store.close().then(close) }
  },
  EventStoreDB: async () => {
    const double = await startEventStoreDouble()
    const store = await openEventStoreDb({ url: double.url, keys })
    return { store, stored: store.stored, close: () => store.close().then(() => double.close()) }
  },
}

const poisoned = streamName('invite', 'poisoned')
const healthy = streamName('invite', 'healthy')

for (const [kind, open] of Object.entries(kinds)) {
  describe(`an event that the ${kind} store can not read`, () => {
    let the: Opened
    let bad: StoredEvent

    beforeEach(async () => {
      the = await open()
      await the.store.append(poisoned, noStream, newEvents(2))
      bad = await appendStored(the.stored, poisoned, 2, newEvent({ uses: 9 }), { type: 'InvitePoisoned' })
      await the.store.append(healthy, noStream, newEvents(1))
    })

    afterEach(() => the.close())

    it('is given in its place where all events are read, with why it can not be read', async () => {
      const all = await collect(the.store.readAll(beforeAll))
      expect(all.map(({ type }) => type)).toEqual(['InviteRedeemed', 'InviteRedeemed', 'Unreadable', 'InviteRedeemed'])
      expect(marks(all)).toMatchObject([
        {
          stream: poisoned,
          revision: 2,
          data: {
            storedType: 'InvitePoisoned',
            unknown: 'type',
            reason: 'the catalog of invite has no such type',
          },
          metadata: { eventId: bad.eventId },
        },
      ])
      expect(all.map(({ position }) => position)).toEqual(
        (await collectStored(the.stored)).map(({ position }) => position),
      )
    })

    it('is given in its place to those who follow', async () => {
      const stop = new AbortController()
      const options = { signal: stop.signal, maxEvents: 2 }
      const followed = await take(the.store.follow(beforeAll, options), 4)
      stop.abort()
      expect(followed).toEqual(await collect(the.store.readAll(beforeAll)))
    })

    it('makes its stream unreadable, and no other', async () => {
      await expect(collect(the.store.readStream(poisoned, noStream))).rejects.toThrow(UnreadableEvent)
      await expect(the.store.findEvent(poisoned, bad.eventId)).rejects.toThrow(/revision 2, type InvitePoisoned/)
      expect(await collect(the.store.readStream(healthy, noStream))).toHaveLength(1)
    })

    it('is told apart by what is unknown of it', async () => {
      await appendStored(the.stored, healthy, 1, newEvent(), { data: ['no', 'object'] })
      await appendStored(the.stored, healthy, 2, newEvent(), { schemaVersion: 2 })
      await appendStored(the.stored, healthy, 3, newEvent(), { schemaVersion: 'first' })
      const all = marks(await collect(the.store.readAll(beforeAll)))
      expect(all.map(({ data }) => data.unknown)).toEqual(['type', 'data', 'data', 'data'])
      expect(all.map(({ data }) => data.reason)).toEqual([
        'the catalog of invite has no such type',
        'its data is not a JSON object',
        'it has version 2, newer than 1, the newest known here',
        expect.stringMatching(/schemaVersion/),
      ])
    })
  })
}

describe('events of a category without a catalog', () => {
  it('are given as such', async () => {
    const store = memoryEventStore({ keys, catalogs: withoutAccounts })
    const event = { revision: 0, position: 0n, eventId: metadata().eventId, type: 'X', data: {}, metadata: {} }
    await store.stored.append(beforeAll, [{ ...event, stream: 'account-1' }])
    expect(marks(await collect(store.readAll(beforeAll))).map(({ data }) => data.unknown)).toEqual(['category'])
  })
})

describe('keys that can not be had', () => {
  it('make reading reject: they say nothing of the events', async () => {
    const broken = { ...keys, existingKeys: () => Promise.reject(new Error('no keys today')) }
    const account = streamName('account', '1')
    const writing = memoryEventStore({ keys })
    await writing.append(account, noStream, [
      { type: 'SessionStarted', data: { accountId: '1', ip: '127.0.0.1' }, metadata: metadata() },
    ])
    const reading = memoryEventStore({ keys: broken })
    await reading.stored.append(beforeAll, await collectStored(writing.stored))
    await expect(collect(reading.readAll(beforeAll))).rejects.toThrow('no keys today')
  })
})

const withoutAccounts: EventCatalogs = {}

const marks = (events: readonly RecordedEvent[]) => events.filter((event) => isUnreadable(event))

/** Appends an event below the codec, as a program with other catalogs could have. */
async function appendStored(
  stored: StoredEvents,
  stream: StreamName,
  revision: number,
  { type, data, metadata: { eventId, ...rest } }: NewEvent,
  more: { readonly type?: string; readonly data?: unknown; readonly schemaVersion?: unknown },
): Promise<StoredEvent> {
  const end = await stored.end()
  const event: StoredEvent = {
    stream,
    revision,
    position: end + 1n,
    eventId,
    type: more.type ?? type,
    data: more.data ?? data,
    metadata: { schemaVersion: more.schemaVersion ?? 1, ...rest },
  }
  await stored.append(end, [event])
  return event
}

async function collectStored(stored: StoredEvents): Promise<readonly StoredEvent[]> {
  const all: StoredEvent[] = []
  for await (const page of stored.readAll(beforeAll)) all.push(...page)
  return all
}
