import fc from 'fast-check'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { EventChain } from '../../../../adapters/bus/nats/event-chain.ts'
import type { CarriedEvent } from '../../../../adapters/bus/nats/event-message.ts'
import { eventCatalogs } from '../../../../domain/aggregates.ts'
import type { EventStore, RecordedEvent } from '../../../../application/ports/event-store.ts'
import { beforeAll, type Position } from '../../../../domain/kernel/position.ts'
import { anyStream, metadata } from '../../../contract/sample-events.ts'

const stream = anyStream()

/** A history whose positions have gaps, as they have in Postgres. */
function historyOf(steps: readonly number[]): readonly CarriedEvent[] {
  let position = beforeAll
  return steps.map((step, revision) => {
    const after = position
    position += BigInt(step)
    return {
      position,
      after,
      event: { stream, revision, position, type: 'InviteRedeemed', data: {}, metadata: metadata() },
    }
  })
}

interface Store extends Pick<EventStore, 'readAll'> {
  reads: number
}

function storeOf(history: readonly CarriedEvent[], failing: { reads: number } = { reads: 0 }): Store {
  return {
    reads: 0,
    async *readAll(after) {
      this.reads++
      if (failing.reads-- > 0) throw new Error('the store is away')
      const events = history.flatMap(({ event }) => (event && event.position > after ? [event] : []))
      for (let start = 0; start < events.length; start += 3) {
        await Promise.resolve()
        yield events.slice(start, start + 3)
      }
    },
  }
}

interface Followed {
  readonly chain: EventChain
  readonly delivered: RecordedEvent[]
  readonly errors: unknown[]
  positions(): readonly Position[]
}

function follow(store: Store, bounds: { hold_ms?: number; heldEvents_max?: number } = {}): Followed {
  const delivered: RecordedEvent[] = []
  const errors: unknown[] = []
  const chain = new EventChain({
    store,
    catalogs: eventCatalogs,
    start: beforeAll,
    bounds,
    deliver: (events) => void delivered.push(...events),
    onError: (error) => void errors.push(error),
  })
  return { chain, delivered, errors, positions: () => delivered.map(({ position }) => position) }
}

const positionsOf = (history: readonly CarriedEvent[]): readonly Position[] => history.map(({ position }) => position)

describe('What a carrier brings', () => {
  it('is handed on once and in order, whatever gets lost, repeated or moved, and however little is held', async () => {
    const journey = fc.record({
      steps: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 30 }),
      fates: fc.infiniteStream(fc.constantFrom('comes', 'comes', 'lost', 'twice', 'late', 'bare')),
      heldEvents_max: fc.integer({ min: 1, max: 8 }),
    })
    await fc.assert(
      fc.asyncProperty(journey, async ({ steps, fates, heldEvents_max }) => {
        const history = historyOf(steps)
        const { chain, positions } = follow(storeOf(history), { hold_ms: 1, heldEvents_max })
        const late: CarriedEvent[] = []
        for (const carried of history) {
          const { value: fate } = fates.next()
          if (fate === 'late') late.push(carried)
          if (fate === 'comes' || fate === 'twice') chain.receive(carried)
          if (fate === 'twice') chain.receive(carried)
          if (fate === 'bare') chain.receive({ ...carried, event: undefined })
          if (late.length > 2) for (const one of late.splice(0)) chain.receive(one)
          if (fate === 'lost') await pause(1)
        }
        const end = history.at(-1)?.position ?? beforeAll
        while (chain.handled < end) await chain.refill(end)
        await pause(3)
        expect(positions()).toEqual(positionsOf(history))
        await chain.stop()
      }),
      { numRuns: 150 },
    )
  })

  it('late by a little is waited for, without a look into the store', async () => {
    const history = historyOf([1, 3, 1, 2])
    const store = storeOf(history)
    const { chain, positions } = follow(store, { hold_ms: 500 })
    for (const carried of history.toReversed()) chain.receive(carried)
    await pause(5)
    expect(positions()).toEqual(positionsOf(history))
    expect(store.reads).toBe(0)
    await chain.stop()
  })

  it('and is missing is read from a store that answers only after some tries', async () => {
    const history = historyOf([1, 1, 1, 1, 1])
    const { chain, positions, errors } = follow(storeOf(history, { reads: 2 }), { hold_ms: 1 })
    const [, , third, ...others] = history
    if (third) chain.receive(third)
    await pause(20)
    for (const carried of others) chain.receive(carried)
    await chain.refill(4n)
    await pause(5)
    expect(positions()).toEqual(positionsOf(history))
    expect(errors).toHaveLength(2)
    await chain.stop()
  })

  it('and is not in the store is told of, and stops nothing', async () => {
    const [first, second, ...others] = historyOf([1, 5, 1, 1])
    const { chain, positions, errors } = follow(storeOf(first ? [first] : []), { hold_ms: 1 })
    if (second) chain.receive(second)
    await pause(20)
    expect(positions()).toEqual([0n])
    expect(String(errors[0])).toContain('position 5 that the event store does not have')
    expect(others).toHaveLength(2)
    await chain.stop()
  })

  it('after it was stopped is handed to nobody', async () => {
    const history = historyOf([1, 1])
    const { chain, positions } = follow(storeOf(history))
    const [first, second] = history
    if (first) chain.receive(first)
    await chain.stop()
    if (second) chain.receive(second)
    await pause(5)
    expect(positions()).toEqual([])
  })
})
