import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { memoryEventStore } from '../../adapters/event-store/memory/memory-event-store.js'
import { memoryPersonalDataKeys } from '../../adapters/personal-data/memory-keys.js'
import { beforeAll as beforeAllEvents, noStream, type EventStore } from '../../application/ports/event-store.js'
import { HistoryNotContinued, type StoredEvent, type StoredEvents } from '../../application/ports/stored-events.js'
import { anyStream, newEvents } from '../contract/sample-events.js'
import { instance } from './support/instance.js'

interface Opened {
  readonly stored: StoredEvents
  readonly events: EventStore
  readonly close: () => Promise<void>
}

const stores: readonly [string, () => Promise<Opened>][] = [
  [
    'on Postgres',
    async () => {
      const { store, stored, close } = await instance()
      return { stored, events: store.events, close }
    },
  ],
  [
    'in memory',
    async () => {
      const events = memoryEventStore({ keys: memoryPersonalDataKeys() })
      return { stored: events.stored, events, close: async () => undefined }
    },
  ],
]

const event = (position: number, stream: string, revision: number, eventId: string = randomUUID()): StoredEvent => ({
  position: BigInt(position),
  stream,
  revision,
  eventId,
  type: 'InviteRedeemed',
  data: { uses: position, nested: [{ b: 1, a: null }] },
  metadata: { schemaVersion: 1 },
})

async function all(stored: StoredEvents): Promise<readonly StoredEvent[]> {
  const found: StoredEvent[] = []
  for await (const page of stored.readAll(beforeAllEvents)) found.push(...page)
  return found
}

describe.each(stores)('stored events %s', (_, open) => {
  async function withStore(task: (opened: Opened) => Promise<void>): Promise<void> {
    const opened = await open()
    try {
      await task(opened)
    } finally {
      await opened.close()
    }
  }

  it('come back as they were appended, at their own positions where the store can keep them', () =>
    withStore(async ({ stored }) => {
      expect(await stored.end()).toBe(beforeAllEvents)
      const events = [event(3, 'invite-a', 0), event(7, 'invite-b', 0), event(8, 'invite-a', 1)]
      const end = await stored.append(beforeAllEvents, events)
      expect(end).toBe(await stored.end())
      const found = await all(stored)
      const kept = stored.keepsPositions ? events : events.map((one, index) => ({ ...one, position: BigInt(index) }))
      expect(found).toEqual(kept)
      expect(await stored.find('invite-a', 1)).toEqual(found[2])
      expect(await stored.find('invite-a', 2)).toBeUndefined()
      expect(await stored.at(end)).toEqual(found[2])
      expect(await stored.at(end + 1n)).toBeUndefined()
    }))

  it('may begin at position 0, and later ones of the store itself come after them', () =>
    withStore(async ({ stored, events }) => {
      await stored.append(beforeAllEvents, [event(0, 'invite-a', 0)])
      const first = await events.append(anyStream(), noStream, newEvents(1))
      expect(first).toMatchObject({ outcome: 'appended', position: 1n })
      await stored.append(1n, [event(1000, 'invite-a', 1)])
      const next = await events.append(anyStream(), noStream, newEvents(1))
      expect(next).toMatchObject({ outcome: 'appended', position: stored.keepsPositions ? 1001n : 3n })
    }))

  it('are refused, all of them, where one does not come next', () =>
    withStore(async ({ stored }) => {
      const [first, second] = [event(5, 'invite-a', 0), event(6, 'invite-a', 1)]
      const end = await stored.append(beforeAllEvents, [first])
      const refused: readonly (readonly [bigint, readonly StoredEvent[], string])[] = [
        [beforeAllEvents, [second], 'somebody else appends'],
        [end, [event(6, 'invite-a', 2)], 'Revision 2 of invite-a does not come next: it stands at 0'],
        [end, [event(6, 'invite-b', 1)], 'Revision 1 of invite-b does not come next: the stream does not exist'],
        [end, [second, event(7, 'invite-a', 3)], 'Revision 3 of invite-a'],
        [end, [event(6, 'invite-b', 0), event(6, 'invite-c', 0)], 'Position 6 does not come after 6'],
        [end, [event(6, 'invite-b', 0, first.eventId)], "can't be stored"],
      ]
      for (const [newest, events, reason] of refused) {
        const append = stored.append(newest, events)
        await expect(append).rejects.toThrow(HistoryNotContinued)
        await expect(append).rejects.toThrow(reason)
        expect(await all(stored)).toHaveLength(1)
      }
      await stored.append(end, [second])
      expect(await all(stored)).toHaveLength(2)
    }))
})
