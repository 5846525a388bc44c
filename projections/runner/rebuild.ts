import type { Pool } from 'pg'
import type { EventStore } from '../../application/ports/event-store.js'
import { buildBeside, type OnProgress } from './build.js'
import { tryLock, withClient } from './connection.js'
import { pause } from './pause.js'
import type { Projection } from './projection.js'
import { liveCheckpoints, locks, setUpRegistry, type Checkpoint } from './registry.js'

export interface RebuildSettings {
  readonly pool: Pool
  readonly store: EventStore
  readonly projections: readonly Projection[]
  readonly signal: AbortSignal
  readonly onProgress?: OnProgress
}

/** How often a process asks whether another one that builds has finished. */
const retry_ms = 500

/**
 * Builds one read model again from the first event and swaps it in, beside whoever projects. Resolves once that is done, or
 * when the signal aborts; waits while another process builds. Rejects where there is no such read model, and with
 * `ReadModelIsNewer` where a newer version of the product has taken over.
 */
export async function rebuild(name: string, settings: RebuildSettings): Promise<void> {
  const wanted = settings.projections.filter((projection) => projection.name === name)
  if (wanted.length === 0) throw new Error(`There is no read model ${name}`)
  await withClient(settings.pool, (client) => setUpRegistry(client, settings.projections))
  while (!settings.signal.aborted) {
    if (await build(settings, () => wanted)) return
    await pause(retry_ms, settings.signal)
  }
}

/** Builds the read models whose declared version is not live yet; false where another process is building. */
export function buildOutdated(settings: RebuildSettings): Promise<boolean> {
  return build(settings, (live) =>
    settings.projections.filter(({ name, version }) =>
      live.some((model) => model.name === name && model.version < version),
    ),
  )
}

async function build(
  settings: RebuildSettings,
  choose: (live: readonly Checkpoint[]) => readonly Projection[],
): Promise<boolean> {
  const { pool, store, signal, onProgress } = settings
  return withClient(pool, async (client, lost) => {
    if (!(await tryLock(client, locks.building))) return false
    const chosen = choose(await liveCheckpoints(client))
    if (chosen.length > 0)
      await buildBeside({ client, store, signal: AbortSignal.any([signal, lost]), onProgress }, chosen)
    return true
  })
}
