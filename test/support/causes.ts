import { rootActs } from '../../application/commands/acts-of-system.ts'
import type { EventMetadata, EventStore, RecordedEvent } from '../../application/ports/event-store.ts'
import { beforeAll } from '../../domain/kernel/position.ts'

type Caused = Pick<RecordedEvent, 'type'> & { readonly metadata: EventMetadata }

/**
 * Whether an event needs an event as its cause: it is an act of the system that belongs to no request, and that is not listed as one
 * that begins a chain. Callers of use cases without HTTP name no operation; tests act as `anonymous` and `test`.
 */
function needsCause({ metadata: { actor, operation, adminAction } }: Caused): boolean {
  if (actor.kind !== 'system' || operation !== undefined || adminAction !== undefined) return false
  return !['anonymous', 'test'].includes(actor.name) && !Object.hasOwn(rootActs, actor.name)
}

/** The acts of the system that have no cause, by name and type: none, as the rule has it. */
export function withoutCause(events: readonly RecordedEvent[]): readonly string[] {
  const ids = new Set(events.map(({ metadata }) => metadata.eventId))
  const faults = events.filter((event) => needsCause(event) && !ids.has(event.metadata.causationId))
  return [...new Set(faults.map(({ type, metadata: { actor } }) => `${type} by ${JSON.stringify(actor)}`))]
}

/** Every event of a store. */
export async function everyEvent(store: Pick<EventStore, 'readAll'>): Promise<readonly RecordedEvent[]> {
  const all: RecordedEvent[] = []
  for await (const page of store.readAll(beforeAll)) all.push(...page)
  return all
}

/** The same store, which throws where the system is about to append something without a cause. */
export function refusingWithoutCause(store: EventStore): EventStore {
  return {
    ...store,
    async append(stream, expected, events) {
      const doubtful = events.filter(needsCause)
      if (doubtful.length > 0) {
        const ids = new Set((await everyEvent(store)).map(({ metadata }) => metadata.eventId))
        const fault = doubtful.find(({ metadata }) => !ids.has(metadata.causationId))
        if (fault) throw new Error(`${fault.type} has no cause: ${JSON.stringify(fault.metadata)}`)
      }
      return store.append(stream, expected, events)
    },
  }
}
