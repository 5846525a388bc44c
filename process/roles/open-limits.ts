import { aggregateOf } from '../../application/aggregates/aggregates.js'
import type { Changes } from '../../application/caches/cached-changes.js'
import { openRefreshedCopy } from '../../application/caches/refreshed-copy.js'
import { limitsInForce } from '../../application/caches/limits-in-force.js'
import type { Limits } from '../../application/ports/limits.js'
import type { Aggregates } from '../../application/ports.js'
import { instance as instanceDecider } from '../../domain/instance/instance.js'
import { theInstance } from '../../domain/instance/state.js'
import { timestamp } from '../../domain/kernel/timestamp.js'
import { stockLimits } from '../../domain/limits/limit-config.js'
import type { ClosingList } from '../closing-list.js'
import type { GuildhallSettings } from '../settings/guildhall-settings.js'
import type { Store } from '../store.js'
import type { Role } from './role.js'

export interface LimitsNeeds {
  readonly options: GuildhallSettings
  readonly store: Pick<Store, 'events' | 'snapshots'>
}

export interface OpenLimits {
  readonly limits: Limits
  /** The source of the limits: one for the whole process, so that its own changes apply at once. */
  readonly instance: Aggregates['instance']
}

/** Opens the limits. */
export function openLimits({ options, store }: LimitsNeeds): OpenLimits {
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
  return { limits, instance }
}

/** How often the instance has changed, read from its stream, which refreshes the cached state that limits are evaluated on. */
export function instanceChanges(instance: Aggregates['instance']): Changes {
  return { changes: async () => Number((await instance.load(theInstance)).revision) }
}

/** In processes that show accounts: keeps the source of the limits as fresh as a refreshed copy. */
export async function keepLimitsFresh(
  { closings, onError }: { readonly closings: ClosingList; readonly onError: (error: unknown) => void },
  { changes }: Changes,
  roles: readonly Role[],
): Promise<void> {
  if (roles.every((role) => role === 'projector')) return
  const looks = await openRefreshedCopy({ changes, read: changes, onError })
  closings.add(async () => looks.close())
}
