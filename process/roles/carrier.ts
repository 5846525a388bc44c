import { inProcessBus } from '../../adapters/bus/in-process-bus.js'
import type { EventBus } from '../../application/ports/event-bus.js'
import type { ReadModels } from '../../application/ports/read-models.js'
import type { ProjectionSettings } from '../../projections/runner/runner.js'

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
