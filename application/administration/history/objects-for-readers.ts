import type { RecordedEvent } from '../../ports/event-store.ts'
import { historyEventObject, type HistoryEventObject } from '../../wire-objects/administration/history-objects.ts'
import type { Json } from './differences.ts'
import { maskedEvent, type Revealed } from './masked-event.ts'
import type { MadeDifference } from './stream-differences.ts'

/** A member of a state that changed, as an answer has it. */
export interface DifferenceObject {
  /** A JSON pointer; in lists of things with ids by id. */
  readonly path: string
  /** Null where it was not there, and where it is left out. */
  readonly before: Json
  readonly after: Json
  readonly left_out: boolean
  readonly by: HistoryEventObject
}

/** An event as an answer has it, for a reader who sees what `revealed` says. */
export function objectOfEvent(event: RecordedEvent, revealed: Revealed): HistoryEventObject {
  return historyEventObject(maskedEvent(event, revealed))
}

/** The same for a difference. */
export function objectOfDifference(
  { path, before = null, after = null, leftOut, by }: MadeDifference,
  revealed: Revealed,
): DifferenceObject {
  return { path, before, after, left_out: leftOut, by: objectOfEvent(by, revealed) }
}
