import type { Pool } from 'pg'
import type { EventStore } from '../../application/ports/event-store.ts'
import { beforeAll, type Position } from '../../domain/kernel/position.ts'
import type { Projection } from './projection.ts'
import { parkedCounts } from './parked.ts'
import { liveCheckpoints } from './registry.ts'

/** How far one read model has come. */
export interface ReadModelStatus {
  readonly name: string
  /** The version whose tables are live: below `declaredVersion` while that one is being built, 0 for none yet. */
  readonly version: number
  readonly declaredVersion: number
  readonly position: Position
  /** The position of the store's newest event. */
  readonly end: Position
  /** The most events that may be missing: positions may skip numbers. */
  readonly lag_events_max: bigint
  /** How many streams it no longer takes events of, because one of their events did not fit. */
  readonly parkedStreams: number
}

/** The status of every read model, in the order of their declaration. Any process may call it; it need not project. */
export async function readModelStatus({
  pool,
  store,
  projections,
}: StatusSettings): Promise<readonly ReadModelStatus[]> {
  const live = await liveCheckpoints(pool)
  const parked = await parkedCounts(pool)
  const end = await store.end()
  return projections.map(({ name, version }) => {
    const found = live.find((checkpoint) => checkpoint.name === name)
    const position = found?.position ?? beforeAll
    const lag = end > position ? end - position : 0n
    const parkedStreams = parked.get(name) ?? 0
    return {
      name,
      version: found?.version ?? 0,
      declaredVersion: version,
      position,
      end,
      lag_events_max: lag,
      parkedStreams,
    }
  })
}

export interface StatusSettings {
  readonly pool: Pool
  readonly store: EventStore
  readonly projections: readonly Projection[]
}
