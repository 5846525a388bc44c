import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openEventStoreDb } from '../../adapters/event-store/eventstoredb/open-event-store.ts'
import { memoryEventStore } from '../support/memory/memory-event-store.ts'
import { memoryPersonalDataKeys } from '../support/memory/memory-keys.ts'
import type { EventStore } from '../../application/ports/event-store.ts'
import { beforeAll as beforeAllEvents, noStream, type Position } from '../../domain/kernel/position.ts'
import type { StoredEvent, StoredEvents } from '../../application/ports/stored-events.ts'
import { HistoryNotContinued } from '../../application/failures/history-not-continued.ts'
import { anyStream, ascending, newEvents } from '../contract/sample-events.ts'
import { startEventStoreDouble } from '../support/eventstoredb-double/double.ts'
import { instance } from './support/instance.ts'

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
  [
    'on EventStoreDB',
    async () => {
      const double = await startEventStoreDouble()
      const events = await openEventStoreDb({ url: double.url, keys: memoryPersonalDataKeys() })
      const close = async (): Promise<void> => {
        await events.close()
        await double.close()
      }
      return { stored: events.stored, events, close }
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

  it('come back as they were appended, at their own positions if the store can keep them', () =>
    withStore(async ({ stored }) => {
      expect(await stored.end()).toBe(beforeAllEvents)
      const events = [event(3, 'invite-a', 0), event(7, 'invite-b', 0), event(8, 'invite-a', 1)]
      const end = await stored.append(beforeAllEvents, events)
      expect(end).toBe(await stored.end())
      const found = await all(stored)
      const positions = found.map(({ position }) => position)
      if (stored.keepsPositions) expect(positions).toEqual([3n, 7n, 8n])
      expect(ascending(positions)).toBe(true)
      expect(found).toEqual(events.map((one, index) => ({ ...one, position: positions[index] })))
      expect(await stored.find('invite-a', 1)).toEqual(found[2])
      expect(await stored.find('invite-a', 2)).toBeUndefined()
      expect(await stored.at(end)).toEqual(found[2])
      expect(await stored.at(end + 1n)).toBeUndefined()
    }))

  it('may begin at position 0, and later events of the store come after them', () =>
    withStore(async ({ stored, events }) => {
      const append = async (): Promise<Position> => {
        const result = await events.append(anyStream(), noStream, newEvents(1))
        return result.outcome === 'appended' ? result.position : beforeAllEvents
      }
      const positions = [await stored.append(beforeAllEvents, [event(0, 'invite-a', 0)])]
      positions.push(await append())
      positions.push(await stored.append(await stored.end(), [event(1000, 'invite-a', 1)]))
      positions.push(await append())
      if (stored.keepsPositions) expect(positions).toEqual([0n, 1n, 1000n, 1001n])
      expect(ascending(positions)).toBe(true)
      expect((await all(stored)).map(({ position }) => position)).toEqual(positions)
    }))

  it('are all refused if one is out of order', () =>
    withStore(async ({ stored }) => {
      const [first, second] = [event(5, 'invite-a', 0), event(6, 'invite-a', 1)]
      const end = await stored.append(beforeAllEvents, [first])
      const refused: readonly (readonly [bigint, readonly StoredEvent[], string])[] = [
        [beforeAllEvents, [second], 'somebody else appends'],
        [end, [event(6, 'invite-a', 2)], 'Revision 2 of invite-a does not come next: it stands at 0'],
        [end, [event(6, 'invite-b', 1)], 'Revision 1 of invite-b does not come next: the stream does not exist'],
        [end, [second, event(7, 'invite-a', 3)], 'Revision 3 of invite-a'],
        [end, [event(6, 'invite-b', 0), event(6, 'invite-c', 0)], 'Position 6 does not come after 6'],
        [end, [event(6, 'invite-a', 1, first.eventId)], "can't be stored"],
        [end, [second, event(7, 'invite-b', 0, second.eventId)], "can't be stored"],
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
