import { beforeEach, describe, expect, it } from 'vitest'
import { cachedChanges, unheard_ms_max, type Changes } from '../../../application/caches/cached-changes.ts'
import type { Cache } from '../../../application/caches/cache.ts'
import { metadataOf } from '../../../application/commands/command-context.ts'
import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import type { Category } from '../../../domain/aggregates.ts'
import { streamName } from '../../../domain/streams.ts'
import { testContext } from '../../support/test-context.ts'

let changes = 0
let reads = 0
let now_ms = 0
/** What the next read waits for, once it has read. */
let hold: Promise<void> | undefined
let hearsAll = true
let held: Cache<Changes>

beforeEach(() => {
  reads = 0
  hearsAll = true
  held = cachedChanges(
    {
      changes: async () => {
        reads += 1
        const found = changes
        await hold
        return found
      },
    },
    { category: 'network_ban', hearsAll: () => hearsAll, now_ms: () => now_ms },
  )
})

function happens(category: Category): void {
  changes += 1
  const stream = streamName(category, '1')
  const metadata = metadataOf(testContext(), stream, 'test', 0)
  const event: RecordedEvent = {
    stream,
    type: 'NetworkBanned',
    data: {},
    metadata,
    position: 1n,
    revision: 0,
  }
  held.forget(event)
}

describe('a number of changes', () => {
  it('is read once, until an event of its streams', async () => {
    for (let time = 0; time < 3; time += 1) expect(await held.queries.changes()).toBe(changes)
    happens('guild')
    await held.queries.changes()
    expect(reads).toBe(1)
    happens('network_ban')
    expect(await held.queries.changes()).toBe(changes)
    expect(reads).toBe(2)
  })
  it('is not kept if such an event comes during the read', async () => {
    let goOn = (): void => undefined
    hold = new Promise((resolve) => (goOn = resolve))
    const reading = held.queries.changes()
    happens('network_ban')
    goOn()
    await reading
    hold = undefined
    expect(await held.queries.changes()).toBe(changes)
  })
  it('is read again after a minute, whatever was heard', async () => {
    await held.queries.changes()
    changes += 1
    now_ms += unheard_ms_max - 1
    expect(await held.queries.changes()).toBe(changes - 1)
    now_ms += 1
    expect(await held.queries.changes()).toBe(changes)
  })
  it('is read each time while this process does not hear of every event', async () => {
    hearsAll = false
    for (let time = 0; time < 3; time += 1) await held.queries.changes()
    expect(reads).toBe(3)
  })
})
