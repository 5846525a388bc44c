import type { Position } from '../../domain/kernel/position.ts'
/** How far the read models have followed the events. */
export interface ReadModels {
  /**
   * Resolves once every live read model holds all events up to a position. Rejects with ReadModelsBehind after
   * `readModelWait_ms_max`.
   */
  reached(position: Position): Promise<void>
}

/** How far several read models hold events. */
export interface HeldPositions {
  /** All of them hold every event up to here. */
  readonly low: Position
  /** None of them holds an event after this. */
  readonly high: Position
}
