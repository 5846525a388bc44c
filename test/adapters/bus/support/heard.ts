import { setTimeout as pause } from 'node:timers/promises'
import type { EventBus } from '../../../../application/ports/event-bus.ts'
import type { EventStore, RecordedEvent } from '../../../../application/ports/event-store.ts'
import type { Position } from '../../../../domain/kernel/position.ts'
import { collect } from '../../../contract/sample-events.ts'
import { patience_ms } from '../../../support/pace.ts'

/** What a subscriber received. */
export interface Heard {
  readonly events: readonly RecordedEvent[]
  /** Resolves once an event at or after a position has arrived. */
  until(position: Position): Promise<void>
  unsubscribe(): void
}

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

/** Checks until a condition holds; if that takes too long, rejects and names the condition. */
export async function eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const until = Date.now() + patience_ms
  while (!(await holds())) {
    if (Date.now() > until) throw new Error(`waited in vain for ${what}`)
    await pause(5)
  }
}

/** The faults in what was heard, compared with the store after a position: all zero if there are none. */
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
