import { randomBytes, randomUUID } from 'node:crypto'
import { memoryEventStore } from '../../support/memory/memory-event-store.ts'
import { uuid7 } from '../../../application/commands/derive-id.ts'
import type { EventStore } from '../../../application/ports/event-store.ts'
import { beforeAll, noStream, type Position } from '../../../domain/kernel/position.ts'
import type { PersonalDataKeys } from '../../../application/ports/personal-data-keys.ts'
import type { StoredEvents } from '../../../application/ports/stored-events.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { streamName, type StreamName } from '../../../domain/streams.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import {
  account,
  created,
  guild,
  joined,
  registered,
  withChannel,
  someChannel,
} from '../../projections/support/people.ts'
import { claimed } from '../../projections/support/tallies.ts'
import type { AnyEvent } from '../../projections/support/world.ts'

/** Appends events to a stream, whatever its revision; returns the position of the last one. */
export async function happens(
  store: EventStore,
  stream: StreamName,
  ...events: readonly AnyEvent[]
): Promise<Position> {
  let revision = noStream
  for await (const page of store.readStream(stream, noStream)) revision = page.at(-1)?.revision ?? revision
  return append(store, stream, revision, events)
}

async function append(
  store: EventStore,
  stream: StreamName,
  revision: number,
  events: readonly AnyEvent[],
): Promise<Position> {
  const now = Date.now()
  const recorded = events.map((event) => ({
    ...event,
    metadata: {
      eventId: uuid7(now, randomBytes(10)),
      at: timestamp(now),
      actor: { kind: 'system', name: 'test' } as const,
      correlationId: randomUUID(),
      causationId: randomUUID(),
    },
  }))
  const result = await store.append(stream, revision, recorded)
  if (result.outcome !== 'appended') throw new Error(`${stream} was not appended to: ${result.outcome}`)
  return result.position
}

/** The events of one person: five events, in new streams. */
export async function person(store: EventStore, number: number): Promise<void> {
  const begins = (stream: StreamName, ...events: readonly AnyEvent[]) => append(store, stream, noStream, events)
  await Promise.all([
    begins(streamName('handle', `user${number}`), claimed(`user${number}`, number)),
    begins(streamName('account', account(number)), registered(number)),
    begins(
      streamName('guild', guild(number)),
      created(number, account(number)),
      withChannel(number, someChannel(1, 0)),
    ),
    begins(streamName('membership', `${guild(number)}-${account(number)}`), joined(number, number)),
  ])
}

/** The events of `count` people, the first of them `first`. */
export async function people(store: EventStore, count: number, first = 1): Promise<void> {
  for (let number = first; number < first + count; number += 50) {
    const numbers = Array.from({ length: Math.min(50, first + count - number) }, (_, index) => number + index)
    await Promise.all(numbers.map((each) => person(store, each)))
  }
}

/** The same people, stored in a few appends as an import would: for tests that only need a history. */
export async function storedPeople(
  stored: StoredEvents,
  keys: PersonalDataKeys,
  count: number,
  first = 1,
): Promise<void> {
  const accounts = Array.from({ length: count }, (_, index) => account(first + index))
  // All at once: fetched one by one, each account's key would cost more than its events.
  const theirs = await keys.keysFor(accounts)
  const isTheirs = (each: AccountId): boolean => theirs.has(each)
  const keysFor = async (of: readonly AccountId[]) => (of.every(isTheirs) ? theirs : keys.keysFor(of))
  const made = memoryEventStore({ keys: { ...keys, keysFor } })
  await people(made, count, first)
  let end = await stored.end()
  const before = end === beforeAll ? 0n : end
  for await (const page of made.stored.readAll(beforeAll)) {
    const events = page.map((event) => ({ ...event, position: before + 1n + event.position }))
    end = await stored.append(end, events)
  }
}
