import { runningProcesses } from '../adapters/processes/running-processes.ts'
import { processCounts } from '../adapters/telemetry/process-counts.ts'
import type { InstanceStatus } from '../application/ports/instance-status.ts'
import { readModels as allReadModels } from '../projections/read-models.ts'
import { oldestParked } from '../projections/runner/parked.ts'
import { readModelStatus } from '../projections/runner/status.ts'
import type { Base } from './roles/base.ts'

/** How the instance is, as this process can tell. `health` is there once the process checks its parts. */
export function instanceStatusOf(
  { register, database, store, metrics }: Pick<Base, 'register' | 'database' | 'store' | 'metrics'>,
  health: InstanceStatus['health'],
): InstanceStatus {
  return {
    processId: register.id,
    health,
    processes: () => runningProcesses(database),
    readModels: () => readModelStatus({ pool: database.pool, store: store.events, projections: allReadModels }),
    parked: (streams_max) => oldestParked(database.pool, allReadModels, streams_max),
    counts: () => processCounts(metrics),
  }
}
