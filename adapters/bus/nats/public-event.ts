import type { RecordedEvent } from '../../../application/ports/event-store.js'
import type { EventCatalog, EventDefinition } from '../../../domain/kernel/event-catalog.js'
import { categoryOf, type Category } from '../../../domain/kernel/streams.js'

/** The catalogs of the event store: they tell which members are personal, and in which version a type is. */
export type EventCatalogs = Readonly<Partial<Record<Category, EventCatalog>>>

/** What the catalogs say of the type of an event; undefined for one that is not known here. */
export function definitionOf(
  catalogs: EventCatalogs,
  { stream, type }: { readonly stream: string; readonly type: string },
): EventDefinition | undefined {
  const category = categoryOf(stream)
  const events = category && catalogs[category]?.events
  return events && Object.hasOwn(events, type) ? events[type] : undefined
}

/**
 * An event as it may leave the event store over a bus: personal members are null, as they are once the account is erased. Nobody
 * who listens needs them, and nothing that erases an account would reach a copy.
 */
export function publicEvent(event: RecordedEvent, { personal = [] }: Pick<EventDefinition, 'personal'>): RecordedEvent {
  const held = personal.filter((member) => Object.hasOwn(event.data, member))
  if (held.length === 0) return event
  return { ...event, data: { ...event.data, ...Object.fromEntries(held.map((member) => [member, null])) } }
}
