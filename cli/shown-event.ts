import { maskedEvent, nothingRevealed } from '../application/administration/history/masked-event.ts'
import type { RecordedEvent } from '../application/ports/event-store.ts'

/** Stands for what an operator who may read the history need not see. */
const personal = '(personal)'

/** What of an event is for the screen. */
export interface ShownEvent {
  readonly data: Readonly<Record<string, unknown>>
  readonly reason: string | undefined
}

/**
 * An event without anything personal, as every command shows it: what is sealed where it is stored, members of its data and its
 * reason, is left out by name.
 */
export function shownEvent(recorded: RecordedEvent): ShownEvent {
  const { event, leftOut } = maskedEvent(recorded, nothingRevealed)
  const data = Object.entries(event.data).map(([member, value]: [string, unknown]) => [
    member,
    leftOut.includes(member) ? personal : value,
  ])
  const reason = leftOut.includes('metadata.reason') ? personal : event.metadata.reason
  return { data: Object.fromEntries(data), reason }
}
