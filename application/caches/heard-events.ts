import type { Position, RecordedEvent } from '../ports/event-store.js'

/**
 * Passes the events that a process hears to a cache, each once the read models hold it. So what is cached is right as of
 * `position`, and it may be used while `isCurrent` (docs/decisions/0160-one-cache.md).
 */
export interface HeardEvents {
  /** The position of the last event that this process has heard of. */
  readonly heard: Position
  /** Every event up to here was passed on. It only grows. */
  readonly position: Position
  /** Whether this process has heard all events that it knows the read models to hold. */
  readonly isCurrent: boolean
  /** Takes events as the store gives them: in order, and without gaps. */
  hear(events: readonly RecordedEvent[]): void
  /**
   * Notes that the read models hold every event up to a position. A request that calls this with the position that they hold now
   * is answered from the cache as of that position or later, or not from the cache.
   */
  asOf(position: Position): void
}

export interface HeardEventsSettings {
  /** The process hears every event after this position. */
  readonly from: Position
  readonly pass: (event: RecordedEvent) => void
  /** Called in place of `pass` for events that were too many. */
  readonly passAll: () => void
  readonly waiting_max?: number
}

/** How many events may wait for read models that are behind. */
export const waitingEvents_max = 50_000

export function heardEvents({
  from,
  pass,
  passAll,
  waiting_max = waitingEvents_max,
}: HeardEventsSettings): HeardEvents {
  let heard = from
  let held = from - 1n
  /** Nothing counts before the read models are here: events up to it were never passed on. */
  let floor = from
  let waiting: RecordedEvent[] = []

  function passOn(): void {
    const after = waiting.findIndex(({ position }) => position > held)
    for (const event of waiting.splice(0, after < 0 ? waiting.length : after)) pass(event)
  }

  return {
    get heard() {
      return heard
    },
    get position() {
      return held < heard ? held : heard
    },
    get isCurrent() {
      return floor <= held && held <= heard
    },
    hear(events) {
      const fresh = events.filter(({ position }) => position > heard)
      const last = fresh.at(-1)
      if (!last) return
      heard = last.position
      waiting.push(...fresh)
      passOn()
      if (waiting.length <= waiting_max) return
      waiting = []
      floor = heard
      passAll()
    },
    asOf(position) {
      if (position <= held) return
      held = position
      passOn()
    },
  }
}
