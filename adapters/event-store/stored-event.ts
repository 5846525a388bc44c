import type { Position, Revision } from '../../application/ports/event-store.js'

/** An event in the form that every store keeps it in: data and metadata as JSON text. */
export interface EncodedEvent {
  readonly eventId: string
  readonly type: string
  readonly data: string
  readonly metadata: string
}

/** What a store gives back of an event, not yet looked at: data and metadata as parsed from their JSON. */
export interface StoredEvent {
  readonly stream: string
  readonly revision: Revision
  readonly position: Position
  readonly eventId: string
  readonly type: string
  readonly data: unknown
  readonly metadata: unknown
}
