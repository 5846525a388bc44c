import type { EventBus } from '../../application/ports/event-bus.ts'
import type { RecordedEvent } from '../../application/ports/event-store.ts'

type Handler = (events: readonly RecordedEvent[]) => void

/** Carries events within one process. `publish` resolves after every subscriber has the batch. */
export function inProcessBus(): EventBus {
  const handlers = new Set<Handler>()
  return {
    publish: (events) => {
      for (const handle of handlers) handle(events)
      return Promise.resolve()
    },
    subscribe: (handle) => {
      handlers.add(handle)
      return () => {
        handlers.delete(handle)
      }
    },
  }
}
