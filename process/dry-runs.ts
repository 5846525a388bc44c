import { holdingBack } from '../adapters/event-store/held-back.ts'
import { adminAuditLog } from '../application/administration/audit/admin-audit-log.ts'
import { instanceSecrets, policiesOverSettings } from '../application/administration/instance/policies-over-settings.ts'
import { limitsInForce } from '../application/caches/limits-in-force.ts'
import type { OpenDryRun } from '../application/dry-runs/dry-run.ts'
import { holdingPorts, savingNone, type HeldBack } from '../application/dry-runs/holding-ports.ts'
import type { Ports } from '../application/ports.ts'
import { sealedBox } from '../application/secrets/sealed-box.ts'
import { timestamp } from '../domain/kernel/timestamp.ts'
import { openAggregates } from './aggregates.ts'
import { aggregatesAsOf } from './aggregates-as-of.ts'
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
export function dryRunsOf({ options: { settings, personalDataKey }, store }: Needs, ports: Ports): OpenDryRun {
  return () => {
    const { store: events, heldBack } = holdingBack(store.events)
    const held: HeldBack = { letters: [], jobs: [], deferred: [] }
    const aggregates = openAggregates({ store: events, snapshots: savingNone(store.snapshots) })
    const limits = limitsInForce({
      aggregates,
      premium: settings.instancePolicy.premium,
      hosted: settings.hosted,
      now_ms: () => performance.now(),
      clock: () => timestamp(Date.now()),
      defaults: ports.limits.defaults,
    })
    const instancePolicies = policiesOverSettings({
      aggregates,
      settings: settings.instancePolicy,
      secrets: sealedBox(personalDataKey, instanceSecrets),
    })
    const asOf = aggregatesAsOf({ events, snapshots: savingNone(store.snapshots) })
    const own = holdingPorts(ports, { aggregates, aggregatesAsOf: asOf, limits, instancePolicies }, held)
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
