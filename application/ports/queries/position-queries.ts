import type { Position } from '../event-store.js'

export interface PositionQueries {
  /**
   * The position that every live read model holds now. Reads made before this call are no newer. So a Gateway that has handled
   * the events up to this position knows everything that an earlier answer was based on.
   */
  held(): Promise<Position>
}
