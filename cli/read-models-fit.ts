import { beforeAll } from '../application/ports/event-store.js'
import { hasRegistry, highestOf, liveCheckpoints, noReadModels } from '../projections/runner/registry.js'
import type { Store } from './store.js'

/** The read models of this database were made from another event store than the one that was opened. */
export class ReadModelsOfAnotherStore extends Error {
  override readonly name = 'ReadModelsOfAnotherStore'
}

/** No server was started on this instance yet. */
export class NoReadModels extends Error {
  override readonly name = 'NoReadModels'
}

/**
 * Whether read models and event store belong together: positions are a store's own, so the event that the read models have
 * come to stands there. Without read models, or with empty ones, they do.
 */
export async function readModelsFit({ database, stored }: Pick<Store, 'database' | 'stored'>): Promise<boolean> {
  if (!(await hasRegistry(database.pool))) return true
  const position = highestOf(await liveCheckpoints(database.pool))
  return position === beforeAll || (await stored.at(position)) !== undefined
}

/**
 * Rejects with ReadModelsOfAnotherStore where the read models of the database are of another event store: they would stand
 * still, or lack events, without a word. For whoever serves or projects, before it does.
 */
export async function refuseOtherReadModels(store: Pick<Store, 'database' | 'stored'>): Promise<void> {
  if (await readModelsFit(store)) return
  throw new ReadModelsOfAnotherStore(
    'The read models in DATABASE_URL were made from another event store than this one: check EVENTSTORE_URL. Where the history has moved here, import it again with these settings: that makes the read models anew',
  )
}

/** Rejects with NoReadModels where none were made yet. For a command that asks them, and may be the first on an instance. */
export async function refuseWithoutReadModels({ database }: Pick<Store, 'database'>): Promise<void> {
  const { pool } = database
  if (!(await hasRegistry(pool)) || (await liveCheckpoints(pool)).length === 0) throw new NoReadModels(noReadModels)
}
