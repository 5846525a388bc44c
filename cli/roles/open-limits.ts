import { aggregateOf } from '../../application/aggregates/aggregates.js'
import { openRefreshedCopy } from '../../application/caches/refreshed-copy.js'
import { limitsInForce } from '../../application/caches/limits-in-force.js'
import type { Limits } from '../../application/ports/limits.js'
import type { Aggregates } from '../../application/ports.js'
import { instance as instanceDecider } from '../../domain/instance/instance.js'
import { theInstance } from '../../domain/instance/state.js'
import { timestamp } from '../../domain/kernel/timestamp.js'
import { stockLimits } from '../../domain/limits/limit-config.js'
import type { ClosingList } from '../closing-list.js'
import type { GuildhallSettings } from '../guildhall-settings.js'
import type { Store } from '../store.js'
import type { Role } from './role.js'

export interface LimitsNeeds {
  readonly options: GuildhallSettings
  readonly closings: ClosingList
  readonly onError: (error: unknown) => void
  readonly store: Pick<Store, 'events' | 'snapshots'>
}

export interface OpenLimits {
  readonly limits: Limits
  /** The source of the limits: one for the whole process, so that its own changes apply at once. */
  readonly instance: Aggregates['instance']
}

/** Opens the limits. In processes that show accounts, their source is cached, and as fresh as a refreshed copy. */
export async function openLimits(
  { options, closings, onError, store }: LimitsNeeds,
  roles: readonly Role[],
): Promise<OpenLimits> {
  const { settings, logger, limits: chosen } = options
  const instance = aggregateOf(instanceDecider, {
    store: store.events,
    snapshots: store.snapshots,
    onSnapshotFailure: (stream, error) => {
      logger.warn({ err: error, stream }, 'a snapshot could not be written')
    },
  })
  const limits = limitsInForce({
    aggregates: { instance },
    premium: settings.instancePolicy.premium,
    hosted: settings.hosted,
    now_ms: () => performance.now(),
    clock: () => timestamp(Date.now()),
    defaults: { ...stockLimits, default: { ...stockLimits.default, ...chosen } },
  })
  if (roles.some((role) => role !== 'projector')) {
    const newest = async (): Promise<number> => Number((await instance.load(theInstance)).revision)
    const looks = await openRefreshedCopy({ changes: newest, read: newest, onError })
    closings.add(async () => looks.close())
  }
  return { limits, instance }
}
