import { setTimeout as pause } from 'node:timers/promises'
import type { EventBus } from '../../../../application/ports/event-bus.js'
import type { EventStore, Position, RecordedEvent } from '../../../../application/ports/event-store.js'
import { collect } from '../../../contract/sample-events.js'

/** What a subscriber was handed. */
export interface Heard {
  readonly events: readonly RecordedEvent[]
  /** Resolves once an event at or after a position was handed on. */
  until(position: Position): Promise<void>
  unsubscribe(): void
}

const wait_ms_max = 30_000

export function listen(bus: Pick<EventBus, 'subscribe'>): Heard {
  const events: RecordedEvent[] = []
  const unsubscribe = bus.subscribe((batch) => void events.push(...batch))
  return {
    events,
    unsubscribe,
    until: (position) =>
      eventually(`the event at ${position} to be handed on`, () => (events.at(-1)?.position ?? -1n) >= position),
  }
}

/** Looks until something holds, and rejects, saying what was awaited, where that takes too long. */
export async function eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const until = Date.now() + wait_ms_max
  while (!(await holds())) {
    if (Date.now() > until) throw new Error(`waited in vain for ${what}`)
    await pause(5)
  }
}

/** What is wrong with what was heard, against what the store holds after a position: all zero where nothing is. */
export async function faultsIn({ events }: Heard, store: EventStore, after: Position): Promise<object> {
  const positions = events.map(({ position }) => position)
  const heard = new Set(positions)
  const held = await collect(store.readAll(after))
  const known = new Set(held.map(({ position }) => position))
  return {
    lost: held.filter(({ position }) => !heard.has(position)).length,
    repeated: positions.length - heard.size,
    inversions: positions.filter((position, index) => index > 0 && position < (positions[index - 1] ?? position))
      .length,
    unknown: positions.filter((position) => !known.has(position)).length,
  }
}

export const noFaults = { lost: 0, repeated: 0, inversions: 0, unknown: 0 }
