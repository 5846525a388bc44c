import type { EventStore } from '../../application/ports/event-store.ts'
import type { Position } from '../../domain/kernel/position.ts'
import type { Timeline } from './timeline.ts'

export interface RecentEvents {
  /** Writes the events since the last call into the timeline. */
  show(): Promise<void>
}

/** Shows new events of the store from now on. */
export async function recentEvents(store: EventStore, timeline: Timeline): Promise<RecentEvents> {
  let shown: Position = await store.end()
  return {
    show: async () => {
      for await (const page of store.readAll(shown)) {
        for (const { stream, revision, type, position } of page) {
          timeline.add('event', 'store', `${type} in ${stream} at revision ${revision}`)
          shown = position
        }
      }
    },
  }
}
