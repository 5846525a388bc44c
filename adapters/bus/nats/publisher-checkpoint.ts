import type { Position } from '../../../domain/kernel/position.ts'

/** How far the publisher has come. NATS has acknowledged every event up to there. */
export interface PublisherCheckpoint {
  /** Undefined if nothing was ever published. */
  load(): Promise<Position | undefined>
  /** Moves the checkpoint from the expected position to a new one. If it stands elsewhere, gives false and changes nothing. */
  move(expected: Position | undefined, position: Position): Promise<boolean>
}

/** A checkpoint for tests, kept in memory only. */
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
