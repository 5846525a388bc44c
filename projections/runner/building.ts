import type { Pool, PoolClient } from 'pg'
import { electorOn, type Seat } from '../../application/concurrency/elector.ts'
import type { EventStore } from '../../application/ports/event-store.ts'
import type { OnProgress } from './build.ts'
import { pause } from '../../application/concurrency/pauses.ts'
import type { Projection } from './projection.ts'
import { locks } from './registry.ts'

export interface BuildingSettings {
  readonly pool: Pool
  readonly store: EventStore
  readonly projections: readonly Projection[]
  readonly signal: AbortSignal
  readonly onProgress?: OnProgress
  /** Called repeatedly while another process builds read models. */
  readonly onWaiting?: () => void
}

/** The signal aborts when that of the settings does, and when the connection is lost. */
type Task<Result> = (seat: Seat<PoolClient>, signal: AbortSignal) => Promise<Result>

/** How often a process checks whether another one has finished building. */
const retry_ms = 500

/** Runs a task as the only process that builds read models; undefined if another one is building. */
export function tryBuilding<Result>(
  { pool, signal }: Pick<BuildingSettings, 'pool' | 'signal'>,
  task: Task<Result>,
): Promise<{ readonly result: Result } | undefined> {
  return electorOn<PoolClient>(pool).tryLead(locks.building, async (seat) => {
    // Statements stay prepared while tables grow from nothing.
    await seat.client.query('set plan_cache_mode = force_custom_plan')
    return task(seat, AbortSignal.any([signal, seat.lost]))
  })
}

/** Like tryBuilding, but waits for others; undefined if the signal aborts meanwhile. */
export async function waitAndBuild<Result>(
  settings: Pick<BuildingSettings, 'pool' | 'signal' | 'onWaiting'>,
  task: Task<Result>,
): Promise<Result | undefined> {
  while (!settings.signal.aborted) {
    const done = await tryBuilding(settings, task)
    if (done) return done.result
    settings.onWaiting?.()
    await pause(retry_ms, settings.signal)
  }
  return undefined
}
