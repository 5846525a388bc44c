import type { Position } from '../event-store.js'

export interface PositionQueries {
  /**
   * The position that every live read model holds by now. Whatever was read of them before it was asked for is no newer, so a
   * Gateway that has handled the events up to there knows all that an answer followed from.
   */
  held(): Promise<Position>
}
