import type { RecordedEvent } from '../../application/ports/event-store.ts'
import type { Unreadable } from '../../application/ports/unreadable-event.ts'
import { reasonCharacters_max, UnreadableEvent } from '../../application/failures/unreadable-event.ts'
import type { StreamName } from '../../domain/streams.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import type { StoredEvent } from './stored-event.ts'

/** Why the codec can't read an event, and which event it is. */
export class Undecodable extends UnreadableEvent {
  readonly stored: StoredEvent
  readonly unknown: Unreadable['data']['unknown']
  readonly reason: string

  constructor(stored: StoredEvent, unknown: Unreadable['data']['unknown'], reason: string, options?: ErrorOptions) {
    const { position, stream, revision, type } = stored
    super(
      `Can't read the event at position ${position} (${stream}, revision ${revision}, type ${type}): ${reason}`,
      options,
    )
    this.stored = stored
    this.unknown = unknown
    this.reason = reason
  }
}

/** Stands for an event that can't be read. Of its metadata only the event's id is certain. */
export function unreadableMark({ stored, unknown, reason }: Undecodable): RecordedEvent<Unreadable> {
  const { stream, revision, position, eventId, type: storedType } = stored
  return {
    // For a stream of an unknown category, this is used as a name only.
    stream: stream as StreamName,
    revision,
    position,
    type: 'Unreadable',
    data: { storedType, unknown, reason: reason.slice(0, reasonCharacters_max) },
    metadata: {
      eventId,
      at: timestamp(0),
      actor: { kind: 'system', name: 'unreadable' },
      correlationId: eventId,
      causationId: eventId,
    },
  }
}
