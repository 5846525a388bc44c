import { inProcessBus } from '../../adapters/bus/in-process-bus.ts'
import type { EventBus } from '../../application/ports/event-bus.ts'
import type { ReadModels } from '../../application/ports/read-models.ts'
import type { ProjectionSettings } from '../../projections/runner/runner.ts'

/** Carries events from the projecting process to those that react to them. */
export interface Carrier extends Pick<ProjectionSettings, 'onCommitted' | 'whileLeading'> {
  /** Delivers every event from now on. Rejects with ReadModelsBehind if the read models are not up to date in time. */
  listen(readModels: ReadModels): Promise<Pick<EventBus, 'subscribe'>>
}

/** For one process that plays every role. */
export function inProcessCarrier(): Carrier {
  const bus = inProcessBus()
  return {
    onCommitted: (events) => bus.publish(events),
    listen: () => Promise.resolve(bus),
  }
}
