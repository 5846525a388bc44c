import { inProcessBus } from '../../adapters/bus/in-process-bus.ts'
import { pause } from '../../application/concurrency/pauses.ts'
import { isUnreadable } from '../../application/failures/unreadable-event.ts'
import type { EventBus } from '../../application/ports/event-bus.ts'
import type { EventStore } from '../../application/ports/event-store.ts'
import type { ReadModels } from '../../application/ports/read-models.ts'
import type { Position } from '../../domain/kernel/position.ts'
import type { ClosingList } from '../closing-list.ts'
import type { Carrier } from './carrier.ts'

const batchEvents_max = 100
const retryPause_ms = 500

interface Following {
  readonly events: Pick<EventStore, 'end' | 'follow'>
  readonly closings: ClosingList
  /** Called with every error. Following continues. */
  readonly onError: (error: unknown) => void
}

/** For a process beside those of an instance, which hears of events from the store alone, whatever carries them between the others. */
export function followingCarrier({ events, closings, onError }: Following): Pick<Carrier, 'listen'> {
  return {
    async listen(readModels) {
      const end = await events.end()
      await readModels.reached(end)
      const bus = inProcessBus()
      const stopping = new AbortController()
      const ended = followed({ events, bus, readModels, onError }, end, stopping.signal)
      closings.add(async () => {
        stopping.abort()
        await ended
      })
      return bus
    },
  }
}

interface Parts extends Pick<Following, 'events' | 'onError'> {
  readonly bus: EventBus
  readonly readModels: ReadModels
}

/** Hands on events that the read models hold, each once and in order. */
async function followed(
  { events, bus, readModels, onError }: Parts,
  from: Position,
  signal: AbortSignal,
): Promise<void> {
  let last = from
  while (!signal.aborted) {
    try {
      for await (const batch of events.follow(last, { signal, maxEvents: batchEvents_max })) {
        const newest = batch.at(-1)
        if (!newest) continue
        await readModels.reached(newest.position)
        if (signal.aborted) return
        await bus.publish(batch.filter((event) => !isUnreadable(event)))
        last = newest.position
      }
    } catch (error) {
      if (signal.aborted) return
      onError(error)
      await pause(retryPause_ms, signal)
    }
  }
}
