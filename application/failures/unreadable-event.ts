import type { RecordedEvent } from '../ports/event-store.ts'
import type { Unreadable } from '../ports/unreadable-event.ts'

/** A stored event that this program can't read. The message names its position, stream and type. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent'
}

/** Whether an event stands in for one that can't be read. */
export function isUnreadable(event: RecordedEvent): event is RecordedEvent<Unreadable> {
  return event.type === 'Unreadable'
}

/** How much is kept of why an event can't be read. */
export const reasonCharacters_max = 500
