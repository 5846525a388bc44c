import type { Position } from './event-store.js'
import { Unavailable } from './unavailable.js'

/** How far the read models that answer queries have come. */
export interface ReadModels {
  /**
   * Resolves once every live read model holds all events up to a position. Rejects with ReadModelsBehind where that takes
   * longer than `readModelWait_ms_max`.
   */
  reached(position: Position): Promise<void>
}

export const readModelWait_ms_max = 10_000

/** The read models did not come as far as was asked for in time. What was written is written. */
export class ReadModelsBehind extends Unavailable {
  override readonly name = 'ReadModelsBehind'
  override readonly part = 'read models'
}
