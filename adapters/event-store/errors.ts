import { Unavailable } from '../../application/failures/unavailable.ts'

/** Rejects an append because its events can't be stored as they are. Nothing was written. */
export class UnstorableEvents extends Error {
  override readonly name = 'UnstorableEvents'

  constructor(stream: string, reason: string, options?: ErrorOptions) {
    super(`Can't append to ${JSON.stringify(stream)}: ${reason}`, options)
  }
}

/** The reason if an append uses existing event ids but does not repeat an earlier append. */
export const takenEventIds = 'some of its event ids are taken by other events'

/** Rejects an append because the queue is full. Nothing was written. */
export class EventStoreOverloaded extends Unavailable {
  override readonly name = 'EventStoreOverloaded'
  override readonly part = 'event store'
}

/** Rejects an append because the store is closing or closed. Nothing was written. */
export class EventStoreClosed extends Unavailable {
  override readonly name = 'EventStoreClosed'
  override readonly part = 'event store'
}
