import { eventCatalogs, type Category } from '../../../domain/aggregates.ts'
import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import type { RecordedEvent } from '../../ports/event-store.ts'
import type { EventFilter, EventPage, IndexedEvent } from '../../ports/queries/history-queries.ts'
import type { HistoryEventObject } from '../../wire-objects/administration/history-objects.ts'
import { revealedTo } from './read-stream.ts'
import { objectOfEvent } from './objects-for-readers.ts'

type Needs = Pick<Ports, 'events' | 'queries'>

/** Which events are wanted; those of a category are those of its types. */
export interface EventSearch extends EventFilter {
  readonly category?: Category | undefined
}

/**
 * A page of the events that match everything which is asked, with what each says (rules/administration#history). Events of
 * types and categories that exclude each other are none.
 */
export function searchEvents({ events, queries }: Needs) {
  return async (
    caller: Caller,
    search: EventSearch,
    page: EventPage,
    reveal: boolean,
  ): Promise<readonly HistoryEventObject[]> => {
    const found = await queries.history.search(filterOf(search), page)
    const revealed = revealedTo(caller, reveal)
    const read = await readEach(events, found)
    return read.map((event) => objectOfEvent(event, revealed))
  }
}

/** The types that both are asked for and belong to the category. */
export function filterOf({ category, types, ...filter }: EventSearch): EventFilter {
  const ofCategory = category && Object.keys(eventCatalogs[category].events)
  const both = ofCategory && types ? ofCategory.filter((type) => types.includes(type)) : (ofCategory ?? types)
  return { ...filter, ...(both && { types: both }) }
}

/** The events of the index as the store has them. Read at once, so that a store may join the reads. */
export async function readEach(
  events: Pick<Ports['events'], 'eventAt'>,
  found: readonly IndexedEvent[],
): Promise<readonly RecordedEvent[]> {
  const read = await Promise.all(found.map(({ stream, revision }) => events.eventAt(stream, revision)))
  return read.filter((event) => event !== undefined)
}
