import { liveCheckpoints, noReadModels } from '../projections/runner/registry.ts'
import { fitOf, type Fit } from '../projections/runner/origin.ts'
import type { Store } from './store.ts'

/** The read models of this database were made from another event store than the opened one. */
export class ReadModelsOfAnotherStore extends Error {
  override readonly name = 'ReadModelsOfAnotherStore'
}

/** The event store was restored to an earlier state, as from a backup, and the read models of this database were not. */
export class EventStoreIsOlder extends Error {
  override readonly name = 'EventStoreIsOlder'
}

/** No server has been started on this instance yet. */
export class NoReadModels extends Error {
  override readonly name = 'NoReadModels'
}

type Parts = Pick<Store, 'database' | 'events'>

/** Whether read models and event store belong together. Missing or empty read models always fit. */
export async function readModelsFit({ database, events }: Parts): Promise<boolean> {
  return (await fitOf(database.pool, events)).fit === 'same'
}

/**
 * Rejects with ReadModelsOfAnotherStore if the read models belong to another event store: they would silently stand still, or
 * lack events. Otherwise gives how they fit, for callers that rebuild them.
 */
export async function refuseAnotherStore({ database, events }: Parts): Promise<Exclude<Fit, { fit: 'other' }>> {
  const found = await fitOf(database.pool, events)
  if (found.fit !== 'other') return found
  throw new ReadModelsOfAnotherStore(
    'The read models in DATABASE_URL were made from another event store than this one: check EVENTSTORE_URL. If the history has moved here, import it again with these settings: that rebuilds the read models',
  )
}

/**
 * Like refuseAnotherStore, but also rejects with EventStoreIsOlder if the store no longer holds the event that the read models
 * have reached. Call it before serving, projecting or comparing.
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
    `The event store was put back to an earlier state: the read models in DATABASE_URL have come to position ${position}, and ${how}. To continue from what the store holds, stop every server and run: guildhall replay`,
  )
}

/**
 * Rejects with NoReadModels if there are none yet. For a command that queries them, and may be the first one on an instance.
 */
export async function refuseWithoutReadModels({ database }: Pick<Store, 'database'>): Promise<void> {
  if ((await liveCheckpoints(database.pool)).length === 0) throw new NoReadModels(noReadModels)
}
