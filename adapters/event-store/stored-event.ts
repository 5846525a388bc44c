export type { StoredEvent } from '../../application/ports/stored-events.js'

/** An event in the form that every store keeps it in: data and metadata as JSON text. */
export interface EncodedEvent {
  readonly eventId: string
  readonly type: string
  readonly data: string
  readonly metadata: string
}
