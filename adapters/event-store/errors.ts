import { Unavailable } from '../../application/ports/unavailable.js'

/** Refuses an append whose events can't be stored as they are: nothing was written. */
export class UnstorableEvents extends Error {
  override readonly name = 'UnstorableEvents'

  constructor(stream: string, reason: string, options?: ErrorOptions) {
    super(`Can't append to ${JSON.stringify(stream)}: ${reason}`, options)
  }
}

/** The reason where an append brings event ids that are there already, yet isn't a repetition of an earlier one. */
export const takenEventIds = 'some of its event ids are taken by other events'

/** Refuses an append because as many wait already as may wait: nothing was written. */
export class EventStoreOverloaded extends Unavailable {
  override readonly name = 'EventStoreOverloaded'
  override readonly part = 'event store'
}

/** Refuses an append because the store is closing or closed: nothing was written. */
export class EventStoreClosed extends Unavailable {
  override readonly name = 'EventStoreClosed'
  override readonly part = 'event store'
}
