import type { RecordedEvent } from './event-store.ts'

/** Stands in for an unreadable event when all events are read. It is never appended. */
export interface Unreadable {
  readonly type: typeof unreadableType
  readonly data: {
    readonly storedType: string
    /**
     * What this program does not know: the whole category, so that the event can't concern it; the type; or the data, which are
     * of a newer version or broken.
     */
    readonly unknown: 'category' | 'type' | 'data'
    /** At most `reasonCharacters_max` characters. */
    readonly reason: string
  }
}

/** No aggregate has an event of this name. */
export const unreadableType = 'Unreadable'
export const reasonCharacters_max = 500

/** Whether an event stands in for one that can't be read. */
export function isUnreadable(event: RecordedEvent): event is RecordedEvent<Unreadable> {
  return event.type === unreadableType
}
