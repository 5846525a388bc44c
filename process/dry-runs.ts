import { holdingBack } from '../adapters/event-store/held-back.ts'
import { adminAuditLog } from '../application/administration/audit/admin-audit-log.ts'
import type { OpenDryRun } from '../application/dry-runs/dry-run.ts'
import { holdingPorts, savingNone, type HeldBack } from '../application/dry-runs/holding-ports.ts'
import type { Ports } from '../application/ports.ts'
import { openAggregates } from './aggregates.ts'
import { instancePoliciesOver } from './instance-policies.ts'
import { portsAsOf } from './ports-as-of.ts'
import { limitsOver } from './roles/open-limits.ts'
import type { GuildhallSettings } from './settings/guildhall-settings.ts'
import type { Store } from './store.ts'

interface Needs {
  readonly options: GuildhallSettings
  readonly store: Pick<Store, 'events' | 'snapshots'>
}

/**
 * Opens dry runs with the ports of the process. Each has aggregates of its own, so that what it decided is known to no other
 * request.
 */
export function dryRunsOf({ options, store }: Needs, ports: Ports): OpenDryRun {
  const { settings, personalDataKey } = options
  return () => {
    const { store: events, heldBack } = holdingBack(store.events)
    const held: HeldBack = { letters: [], jobs: [], deferred: [] }
    const snapshots = savingNone(store.snapshots)
    const aggregates = openAggregates({ store: events, snapshots })
    const limits = limitsOver(aggregates, settings, ports.limits.defaults)
    const instancePolicies = instancePoliciesOver(aggregates, settings.instancePolicy, personalDataKey)
    const asOf = portsAsOf({ options, store: { events, snapshots } }, ports.limits.defaults)
    const own = holdingPorts(ports, { aggregates, asOf, limits, instancePolicies }, held)
    return {
      ports: own,
      adminAudit: adminAuditLog(own),
      async foretold() {
        await Promise.all(held.deferred)
        return { events: heldBack, letters: held.letters, jobs: held.jobs }
      },
    }
  }
}
