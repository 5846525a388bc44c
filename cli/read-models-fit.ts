import { liveCheckpoints, noReadModels } from '../projections/runner/registry.js'
import { fitOf, type Fit } from '../projections/runner/origin.js'
import type { Store } from './store.js'

/** The read models of this database were made from another event store than the one that was opened. */
export class ReadModelsOfAnotherStore extends Error {
  override readonly name = 'ReadModelsOfAnotherStore'
}

/** The event store was put back to an earlier state, as from a backup, and the read models of this database were not. */
export class EventStoreIsOlder extends Error {
  override readonly name = 'EventStoreIsOlder'
}

/** No server was started on this instance yet. */
export class NoReadModels extends Error {
  override readonly name = 'NoReadModels'
}

type Parts = Pick<Store, 'database' | 'events'>

/** Whether read models and event store belong together. Without read models, or with empty ones, they do. */
export async function readModelsFit({ database, events }: Parts): Promise<boolean> {
  return (await fitOf(database.pool, events)).fit === 'same'
}

/**
 * Rejects with ReadModelsOfAnotherStore where the read models of the database are of another event store: they would stand
 * still, or lack events, without a word. Gives how they fit otherwise: for whoever makes them anew.
 */
export async function refuseAnotherStore({ database, events }: Parts): Promise<Exclude<Fit, { fit: 'other' }>> {
  const found = await fitOf(database.pool, events)
  if (found.fit !== 'other') return found
  throw new ReadModelsOfAnotherStore(
    'The read models in DATABASE_URL were made from another event store than this one: check EVENTSTORE_URL. Where the history has moved here, import it again with these settings: that makes the read models anew',
  )
}

/**
 * As refuseAnotherStore, and rejects with EventStoreIsOlder where the store does not hold the event that the read models have
 * come to any more. For whoever serves, projects or compares, before it does.
 */
export async function refuseOtherReadModels(store: Parts): Promise<void> {
  const found = await refuseAnotherStore(store)
  if (found.fit === 'same') return
  const { position, end } = found
  const how =
    end < position
      ? `it ends at position ${end}, ${position - end} positions before them`
      : `it has gone another way since, up to position ${end}`
  throw new EventStoreIsOlder(
    `The event store was put back to an earlier state: the read models in DATABASE_URL have come to position ${position}, and ${how}. To go on from what the store holds, end every server and run: guildhall replay`,
  )
}

/** Rejects with NoReadModels where none were made yet. For a command that asks them, and may be the first on an instance. */
export async function refuseWithoutReadModels({ database }: Pick<Store, 'database'>): Promise<void> {
  if ((await liveCheckpoints(database.pool)).length === 0) throw new NoReadModels(noReadModels)
}
