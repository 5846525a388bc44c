import type { Position } from '../../../domain/kernel/position.ts'

export interface PositionQueries {
  /**
   * The position that the read models hold now by which requests decide on messages. Reads of these made before this call are no
   * newer. So a Gateway that has handled the events up to this position knows everything that an earlier answer was based on. Other
   * read models may be behind, while their first or next version is built.
   */
  held(): Promise<Position>
}
