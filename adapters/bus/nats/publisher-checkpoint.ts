import type { Position } from '../../../application/ports/event-store.js'

/** How far the publisher has come: every event up to there is acknowledged by NATS. */
export interface PublisherCheckpoint {
  /** Undefined where nothing was ever published. */
  load(): Promise<Position | undefined>
  /** Moves from where it is expected to a position; false, and nothing changes, where it is elsewhere. */
  move(expected: Position | undefined, position: Position): Promise<boolean>
}

/** A checkpoint for tests: gone with the process. */
export function memoryPublisherCheckpoint(start?: Position): PublisherCheckpoint {
  let held = start
  return {
    load: () => Promise.resolve(held),
    move(expected, position) {
      const isThere = held === expected
      if (isThere) held = position
      return Promise.resolve(isThere)
    },
  }
}
