import { Unavailable } from '../../application/ports/unavailable.js'
import type { StoredEvent } from './stored-event.js'

/** Refuses an append whose events can't be stored as they are: nothing was written. */
export class UnstorableEvents extends Error {
  override readonly name = 'UnstorableEvents'

  constructor(stream: string, reason: string, options?: ErrorOptions) {
    super(`Can't append to ${JSON.stringify(stream)}: ${reason}`, options)
  }
}

/** The reason where an append brings event ids that are there already, yet isn't a repetition of an earlier one. */
export const takenEventIds = 'some of its event ids are taken by other events'

/** An event of the store that this code can't read; the message names its position and type. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent'

  constructor({ position, stream, revision, type }: StoredEvent, reason: string, options?: ErrorOptions) {
    super(
      `Can't read the event at position ${position} (${stream}, revision ${revision}, type ${type}): ${reason}`,
      options,
    )
  }
}

/** Refuses an append because as many wait already as may wait: nothing was written. */
export class EventStoreOverloaded extends Unavailable {
  override readonly name = 'EventStoreOverloaded'
}

/** Refuses an append because the store is closing or closed: nothing was written. */
export class EventStoreClosed extends Unavailable {
  override readonly name = 'EventStoreClosed'
}
