import { aggregateOf } from '../../application/aggregates/aggregates.ts'
import type { Changes } from '../../application/caches/cached-changes.ts'
import { openRefreshedCopy } from '../../application/caches/refreshed-copy.ts'
import { limitsInForce } from '../../application/caches/limits-in-force.ts'
import type { Limits } from '../../application/ports/limits.ts'
import type { Aggregates } from '../../application/ports.ts'
import { instance as instanceDecider } from '../../domain/instance/instance.ts'
import { theInstance } from '../../domain/instance/state.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { stockLimits, type LimitDefaults } from '../../domain/limits/limit-config.ts'
import type { ClosingList } from '../closing-list.ts'
import type { GuildhallSettings } from '../settings/guildhall-settings.ts'
import type { Store } from '../store.ts'
import type { Role } from './role.ts'

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
  const defaults = { ...stockLimits, default: { ...stockLimits.default, ...chosen } }
  return { limits: limitsOver({ instance }, settings, defaults), instance }
}

/** The limits by what the instance's aggregate and the operator's settings say. */
export function limitsOver(
  aggregates: Pick<Aggregates, 'instance'>,
  { instancePolicy: { premium }, hosted }: Pick<GuildhallSettings['settings'], 'hosted' | 'instancePolicy'>,
  defaults: LimitDefaults,
): Limits {
  const now_ms = (): number => performance.now()
  return limitsInForce({ aggregates, premium, hosted, now_ms, clock: () => timestamp(Date.now()), defaults })
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
