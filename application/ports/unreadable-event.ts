import type { RecordedEvent } from './event-store.js'

/** An event of the store that this program can't read; the message names its position, its stream and its type. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent'
}

/** Stands in the place of an event that can't be read, where all events are read. Nobody appends it. */
export interface Unreadable {
  readonly type: typeof unreadableType
  readonly data: {
    readonly storedType: string
    /**
     * What this program does not know: anything of its category, which therefore can't concern it; the type; or what to make
     * of the data, which are of a newer version or broken.
     */
    readonly unknown: 'category' | 'type' | 'data'
    /** At most `reasonCharacters_max` characters. */
    readonly reason: string
  }
}

/** No aggregate has an event of this name. */
export const unreadableType = 'Unreadable'
export const reasonCharacters_max = 500

/** Whether an event only stands for one that can't be read. */
export function isUnreadable(event: RecordedEvent): event is RecordedEvent<Unreadable> {
  return event.type === unreadableType
}
