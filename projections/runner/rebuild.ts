import type { PoolClient } from 'pg'
import { electorOn, type Seat } from '../../application/concurrency/elector.ts'
import type { EventStore } from '../../application/ports/event-store.ts'
import { beforeAll, type Position } from '../../domain/kernel/position.ts'
import { buildBeside } from './build.ts'
import { tryBuilding, waitAndBuild, type BuildingSettings } from './building.ts'
import { parkedStreams } from './parked.ts'
import type { Projection } from './projection.ts'
import { schemasReadableAgain } from './readable-again.ts'
import {
  dropBuild,
  highestOf,
  liveCheckpoints,
  locks,
  ReadModelsAhead,
  setUpRegistry,
  type Checkpoint,
} from './registry.ts'

/**
 * Rebuilds one read model from the first event and swaps it in, beside the process that projects. Resolves afterwards with the
 * position that it stood at then, or with undefined when the signal aborts; waits while another process builds. Rejects if
 * there is no such read model, with `ReadModelIsNewer` if a newer version of the product has taken over, and with
 * `ReadModelsAhead` if some process projects from another store.
 *
 * The rebuilt tables replace the live ones at the live position. Later events are left to the projecting process, which
 * publishes them. The rebuilt tables go on to the end of the store only if nothing was projected yet, or if it was projected
 * from another history.
 */
export async function rebuild(name: string, settings: BuildingSettings): Promise<Position | undefined> {
  const wanted = settings.projections.filter((projection) => projection.name === name)
  if (wanted.length === 0) throw new Error(`There is no read model ${name}`)
  return rebuildThese(wanted, settings)
}

/** Like `rebuild`, for every read model in one go: history is read once, and all are swapped in together. */
export function rebuildAll(settings: BuildingSettings): Promise<Position | undefined> {
  return rebuildThese(settings.projections, settings)
}

async function rebuildThese(wanted: readonly Projection[], settings: BuildingSettings): Promise<Position | undefined> {
  await electorOn<PoolClient>(settings.pool).use(({ client }) => setUpRegistry(client, settings.projections))
  return waitAndBuild(settings, async (seat, signal) => {
    const upTo = await endToReach(seat, settings.store, await liveCheckpoints(seat.client))
    return buildOrLeaveNothing(seat.client, { ...settings, signal }, wanted, upTo)
  })
}

/**
 * Whether `buildOutdated` may have something to build: a read model whose declared version is not live yet, or a parked stream.
 * Waits for no other process, nor for the store.
 */
export async function mayBeOutdated(
  client: PoolClient,
  { projections }: Pick<BuildingSettings, 'projections'>,
): Promise<boolean> {
  const live = await liveCheckpoints(client)
  const isOutdated = live.some((model) =>
    projections.some(({ name, version }) => name === model.name && version > model.version),
  )
  if (isOutdated) return true
  const parked = await parkedStreams(
    client,
    live.map(({ schema }) => schema),
  )
  return parked.size > 0
}

/**
 * Builds the read models whose declared version is not live yet, and those with a parked stream that is readable now; false if
 * another process is building.
 */
export async function buildOutdated(settings: BuildingSettings): Promise<boolean> {
  const tried = await tryBuilding(settings, async ({ client }, signal) => {
    const live = await liveCheckpoints(client)
    const readable = await schemasReadableAgain(
      client,
      settings.store,
      live.map(({ schema }) => schema),
    )
    const outdated = settings.projections.filter(({ name, version }) =>
      live.some((model) => model.name === name && (model.version < version || readable.includes(name))),
    )
    if (outdated.length > 0) await buildOrLeaveNothing(client, { ...settings, signal }, outdated)
  })
  return tried !== undefined
}

async function buildOrLeaveNothing(
  client: PoolClient,
  { store, signal, onProgress }: BuildingSettings,
  projections: readonly Projection[],
  upTo?: Position,
): Promise<Position | undefined> {
  const swappedAt = await buildBeside({ client, store, signal, onProgress }, projections, upTo)
  if (swappedAt === undefined) for (const projection of projections) await dropBuild(client, projection)
  return swappedAt
}

/**
 * The end of the store, if the read models may be built beyond the live ones. That holds if nobody projects, nobody will while
 * the connection lasts, and the live ones hold nothing, or events that the store does not have.
 */
async function endToReach(
  seat: Seat<PoolClient>,
  store: EventStore,
  live: readonly Checkpoint[],
): Promise<Position | undefined> {
  const end = await store.end()
  const highest = highestOf(live)
  if (highest !== beforeAll && highest <= end) return undefined
  if (await seat.take(locks.leading)) return end
  if (highest > end) throw new ReadModelsAhead(highest, end)
  return undefined
}
