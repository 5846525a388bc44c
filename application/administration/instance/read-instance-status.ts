import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import {
  instanceMetricsObject,
  instanceStatusObject,
  type InstanceMetricsObject,
  type InstanceStatusObject,
} from '../../wire-objects/administration/instance-status-object.ts'

/** One is rare, and is mended before there are many: these are enough to see what they have in common. */
const parkedShown_max = 100

type Needs = Pick<Ports, 'instanceStatus'>

/** The processes and read models of the instance, and what the process that answers lacks. */
export function readInstanceStatus({ instanceStatus }: Needs) {
  return async (): Promise<InstanceStatusObject> => {
    const [processes, readModels, parked] = await Promise.all([
      instanceStatus.processes(),
      instanceStatus.readModels(),
      instanceStatus.parked(parkedShown_max),
    ])
    const { processId } = instanceStatus
    return instanceStatusObject({ processId, health: instanceStatus.health(), processes, readModels, parked })
  }
}

/** What the process that answers counts, and how far the read models lag. */
export function readInstanceMetrics({ instanceStatus }: Needs) {
  return async ({ context }: Caller): Promise<InstanceMetricsObject> => {
    const [counts, readModels] = await Promise.all([instanceStatus.counts(), instanceStatus.readModels()])
    return instanceMetricsObject({ processId: instanceStatus.processId, at: context.now }, counts, readModels)
  }
}
