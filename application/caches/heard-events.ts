import type { RecordedEvent } from '../ports/event-store.ts'
import type { Position } from '../../domain/kernel/position.ts'
import type { HeldPositions } from '../ports/read-models.ts'

/** What a cache needs of an event. */
export type Heard = Pick<RecordedEvent, 'stream' | 'type' | 'position'>

/**
 * Passes the events that a process hears to a cache, each once the read models hold it. So what is cached is right as of
 * `position`, and it may be used while `isCurrent` (docs/decisions/0160-one-cache.md).
 */
export interface HeardEvents {
  /** The position of the last event that this process has heard of. */
  readonly heard: Position
  /** Every event up to here was passed on. It only grows. */
  readonly position: Position
  /** Whether the read models are known to be at one position, and this process has heard of all events up to it. */
  readonly isCurrent: boolean
  /** Takes events as the store gives them: in order, except for those that it had left out, and may give later. */
  hear(events: readonly RecordedEvent[]): void
  /**
   * Notes what the read models hold. A request that calls this with what they hold now is answered from the cache as of that
   * position or later, or not from the cache.
   */
  asOf(held: HeldPositions): void
}

export interface HeardEventsSettings {
  /** The process hears every event after this position. */
  readonly from: Position
  readonly pass: (event: Heard) => void
  /** Called instead of `pass` for events that were too many. */
  readonly passAll: () => void
  readonly waiting_max?: number
}

/** How many events may wait for read models that are behind. */
export const waitingEvents_max = 50_000

/** Opens one for a process that begins to hear. */
export function heardEvents({
  from,
  pass,
  passAll,
  waiting_max = waitingEvents_max,
}: HeardEventsSettings): HeardEvents {
  let heard = from
  let low = from - 1n
  let high = from - 1n
  /** Nothing counts before the read models are here: events up to it were never passed on. */
  let floor = from
  let waiting: Heard[] = []

  function passOn(): void {
    const after = waiting.findIndex(({ position }) => position > low)
    for (const event of waiting.splice(0, after < 0 ? waiting.length : after)) pass(event)
  }

  return {
    get heard() {
      return heard
    },
    get position() {
      return low < heard ? low : heard
    },
    get isCurrent() {
      return floor <= low && high <= low && low <= heard
    },
    hear(events) {
      for (const { stream, type, position } of events) {
        const event = { stream, type, position }
        if (position > heard) waiting.push(event)
        else pass(event)
      }
      const last = events.at(-1)?.position ?? heard
      if (last > heard) heard = last
      passOn()
      if (waiting.length <= waiting_max) return
      waiting = []
      floor = heard
      passAll()
    },
    asOf(held) {
      if (held.high > high) high = held.high
      if (held.low <= low) return
      low = held.low
      passOn()
    },
  }
}
