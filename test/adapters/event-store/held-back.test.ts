import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { holdingBack, unlessChanged } from '../../../adapters/event-store/held-back.ts'
import type { EventStore, NewEvent } from '../../../application/ports/event-store.ts'
import { beforeAll, noStream } from '../../../domain/kernel/position.ts'
import { streamName } from '../../../domain/streams.ts'
import { account, registered, start } from '../../projections/support/people.ts'
import { memoryEventStore } from '../../support/memory/memory-event-store.ts'
import { memoryPersonalDataKeys } from '../../support/memory/memory-keys.ts'

const ada = streamName('account', account(1))
const brian = streamName('account', account(2))

function event(number: number): NewEvent {
  const id = randomUUID()
  const actor = { kind: 'system', name: 'test' } as const
  return { ...registered(number), metadata: { eventId: id, at: start, actor, correlationId: id, causationId: id } }
}

describe('a store that holds back', () => {
  it('keeps what was to be appended, says that it was, and appends nothing', async () => {
    const kept = memoryEventStore({ keys: memoryPersonalDataKeys() })
    const { store, heldBack } = holdingBack(kept)
    expect(await store.append(ada, noStream, [event(1), event(1)])).toMatchObject({ outcome: 'appended', revision: 1 })
    expect(heldBack.map(({ stream, type }) => [stream, type])).toStrictEqual([
      [ada, 'AccountRegistered'],
      [ada, 'AccountRegistered'],
    ])
    expect(await kept.end()).toBe(beforeAll)
  })
})

describe('a store that appends to a stream unless it was changed', () => {
  it('goes on from its own appends, and appends to other streams', async () => {
    const store = unlessChanged(
      memoryEventStore({ keys: memoryPersonalDataKeys() }),
      [{ stream: ada, revision: noStream }],
      new Error('changed'),
    )
    expect(await store.append(ada, noStream, [event(1)])).toMatchObject({ outcome: 'appended', revision: 0 })
    expect(await store.append(ada, 0, [event(1)])).toMatchObject({ outcome: 'appended', revision: 1 })
    expect(await store.append(brian, noStream, [event(2)])).toMatchObject({ outcome: 'appended' })
  })

  it('rejects once the stream is somewhere else, and appends nothing', async () => {
    const kept = memoryEventStore({ keys: memoryPersonalDataKeys() })
    const store = unlessChanged(kept, [{ stream: ada, revision: noStream }], new Error('changed'))
    await kept.append(ada, noStream, [event(1)])
    expect(await store.append(ada, noStream, [event(1)])).toMatchObject({ outcome: 'conflict' })
    const before = await kept.end()
    await expect(store.append(ada, 0, [event(1)])).rejects.toThrow('changed')
    expect(await kept.end()).toBe(before)
  })

  it('rejects a reading of what came since, until its own first event there', async () => {
    const kept = memoryEventStore({ keys: memoryPersonalDataKeys() })
    await kept.append(ada, noStream, [event(1)])
    const opened = () => unlessChanged(kept, [{ stream: ada, revision: 0 }], new Error('changed'))
    const [late, early] = [opened(), opened()]
    const eventsIn = async (store: EventStore) => {
      let count = 0
      for await (const page of store.readStream(ada, noStream)) count += page.length
      return count
    }
    expect(await eventsIn(early)).toBe(1)
    await early.append(ada, 0, [event(1)])
    expect(await eventsIn(early)).toBe(2)
    await expect(eventsIn(late)).rejects.toThrow('changed')
  })
})
