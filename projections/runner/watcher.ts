import type { Pool } from 'pg'
import type { Position } from '../../domain/kernel/position.ts'
import type { Notifier } from '../../application/ports/notifier.ts'
import type { ReadModels } from '../../application/ports/read-models.ts'
import { openAnnouncements } from './announcements.ts'
import { progress } from './progress.ts'
import type { Projection } from './projection.ts'
import { liveCheckpoints, positionOf } from './registry.ts'

export interface WatcherSettings {
  readonly pool: Pool
  /** Carries positions and swaps between processes. */
  readonly notifier: Notifier
  readonly projections: readonly Projection[]
  /** Called with each position that the read models are known to hold, before callers that waited for it go on. */
  readonly onPosition?: ((position: Position) => void) | undefined
  /** Called when live tables were replaced, or may have been: whoever caches their rows forgets them. */
  readonly onChange?: (() => void) | undefined
  /** Called with every error. Watching continues. */
  readonly onError: (error: unknown) => void
}

/** The read models, for a process that never projects. */
export interface ReadModelWatcher extends ReadModels {
  stop(): void
}

/**
 * Learns how far the read models have come from the projecting process: by its announcements, and by polling while a caller
 * waits. Nothing counts as reached until a projecting process has run.
 */
export function watchReadModels({
  pool,
  notifier,
  projections,
  onPosition,
  onChange,
  onError,
}: WatcherSettings): ReadModelWatcher {
  let isStopped = false
  const known = progress(() => void look(), onPosition)
  const announcements = openAnnouncements({
    notifier,
    onPosition: (position) => known.note(position),
    onChange() {
      onChange?.()
      void look()
    },
  })

  async function look(): Promise<void> {
    try {
      const live = await liveCheckpoints(pool)
      if (live.length > 0) known.note(positionOf(live, projections))
    } catch (error) {
      if (!isStopped) onError(error)
    }
  }

  return {
    reached: (position: Position) => known.reached(position),
    stop() {
      isStopped = true
      announcements.close()
      known.close()
    },
  }
}
