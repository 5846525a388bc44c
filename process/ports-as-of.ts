import type { Ports } from '../application/ports.ts'
import type { LimitDefaults } from '../domain/limits/limit-config.ts'
import { aggregatesAsOf } from './aggregates-as-of.ts'
import { instancePoliciesOver } from './instance-policies.ts'
import { limitsOver } from './roles/open-limits.ts'
import type { GuildhallSettings } from './settings/guildhall-settings.ts'
import type { Store } from './store.ts'

interface Needs {
  readonly options: GuildhallSettings
  readonly store: Pick<Store, 'events' | 'snapshots'>
}

/** Opens what changes aggregates for acts that were chosen by what streams held. */
export function portsAsOf(
  { options: { settings, personalDataKey }, store }: Needs,
  defaults: LimitDefaults,
): Ports['asOf'] {
  const open = aggregatesAsOf(store)
  return (chosen) => {
    const aggregates = open(chosen)
    return {
      aggregates,
      limits: limitsOver(aggregates, settings, defaults),
      instancePolicies: instancePoliciesOver(aggregates, settings.instancePolicy, personalDataKey),
    }
  }
}
