import { beforeAll } from '../../domain/kernel/position.ts'
import { readModels } from '../../projections/read-models.ts'
import { rebuild, rebuildAll } from '../../projections/runner/rebuild.ts'
import { forgetPublished } from '../forget-published.ts'
import { forgetSnapshots } from '../forget-snapshots.ts'
import { interruptible } from '../interruptible.ts'
import { progressBar, shareOf } from '../progress-bar.ts'
import { refuseAnotherStore } from '../../process/read-models-fit.ts'
import type { Store } from '../../process/store.ts'
import { besideServer } from './beside.ts'

/**
 * Rebuilds one read model, or all, from the first event and swaps it in. A running server continues to serve and project.
 * Publishes nothing: this code has no way to.
 */
export async function replay(name: string | undefined, print: (line: string) => void): Promise<void> {
  const names = readModels.map((model) => model.name)
  if (name !== undefined && !names.includes(name))
    throw new Error(`There is no read model ${name}: there are ${names.join(', ')}`)
  const began = performance.now()
  const position = await interruptible((signal) => besideServer((store) => replayIn(store, name, signal)))
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const what = name === undefined ? `All ${names.length} read models were` : `Read model ${name} was`
  print(
    position === undefined || position === beforeAll
      ? `${what} made anew; there are no events for them yet.`
      : `${what} built from the first event up to position ${position} and swapped in, in ${seconds} s.`,
  )
}

/** Rebuilds in a store that is open. Gives the position, or rejects with the signal's reason when it aborts. */
export async function replayIn(store: Store, name: string | undefined, signal: AbortSignal) {
  const { fit } = await refuseAnotherStore(store)
  if (fit === 'older' && name !== undefined)
    throw new Error(
      'The event store was put back to an earlier state: build all read models again, with: guildhall replay',
    )
  const { database, events } = store
  const bar = progressBar(`replaying ${name ?? 'all read models'}`)
  const settings = {
    pool: database.pool,
    store: events,
    projections: readModels,
    signal,
    onProgress: (at: bigint, end: bigint) => bar.show(shareOf(at, beforeAll, end), `position ${at} of ${end}`),
    onWaiting: () => bar.show(0, 'waiting for another process that builds read models'),
  }
  const done = name === undefined ? rebuildAll(settings) : rebuild(name, settings)
  const swappedAt = await done.finally(() => bar.end())
  if (swappedAt === undefined) signal.throwIfAborted()
  if (fit === 'older') {
    // Followers and publishers that had come further would skip the events from now on.
    await forgetPublished(database)
    // An aggregate loaded from a snapshot of the old history could never append to the new one.
    await forgetSnapshots(database)
  }
  return swappedAt
}
