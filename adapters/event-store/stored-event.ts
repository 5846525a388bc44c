import type { RecordedEvent } from '../../application/ports/event-store.ts'

export type { StoredEvent } from '../../application/ports/stored-events.ts'

/** An event in the form that every store keeps: data and metadata as JSON text. */
export interface EncodedEvent {
  readonly eventId: string
  readonly type: string
  readonly data: string
  readonly metadata: string
}

/** An event that was just encoded. */
export interface FreshEvent extends EncodedEvent {
  /** The event as it would read back; undefined if it would not be readable. */
  readonly asRead: () => Pick<RecordedEvent, 'type' | 'data' | 'metadata'> | undefined
}
