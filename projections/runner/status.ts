import type { Pool } from 'pg'
import type { EventStore } from '../../application/ports/event-store.ts'
import type { ReadModelProgress } from '../../application/ports/instance-status.ts'
import { beforeAll } from '../../domain/kernel/position.ts'
import type { Projection } from './projection.ts'
import { parkedCounts } from './parked.ts'
import { liveCheckpoints } from './registry.ts'

/** The status of every read model, in the order of their declaration. Any process may call it; it need not project. */
export async function readModelStatus({
  pool,
  store,
  projections,
}: StatusSettings): Promise<readonly ReadModelProgress[]> {
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
