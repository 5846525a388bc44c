import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import { accountOfTarget } from '../../../domain/admin-audit/account-of-target.ts'
import type { EventCatalogs } from '../../../domain/aggregates.ts'
import type { EventDefinition } from '../../../domain/kernel/event-catalog.ts'
import { categoryOf } from '../../../domain/streams.ts'

/** The catalog's entry for the type of an event; undefined for a type that is not known here. */
export function definitionOf(
  catalogs: EventCatalogs,
  { stream, type }: { readonly stream: string; readonly type: string },
): EventDefinition | undefined {
  const category = categoryOf(stream)
  const events = category && catalogs[category]?.events
  return events && Object.hasOwn(events, type) ? events[type] : undefined
}

/**
 * An event as it may leave the event store over a bus: personal members are null and a personal reason is missing, as after the
 * erasure of the account. Listeners that need them query the read models: an erasure could not reach copies of the event.
 */
export function publicEvent(
  recorded: RecordedEvent,
  { personal = [], personalReason = false }: Pick<EventDefinition, 'personal' | 'personalReason'>,
): RecordedEvent {
  const { adminAction } = recorded.metadata
  const isReasonPersonal = personalReason || (adminAction && accountOfTarget(adminAction.target)) !== undefined
  const event = isReasonPersonal ? withoutReason(recorded) : recorded
  const held = personal.filter((member) => Object.hasOwn(event.data, member))
  if (held.length === 0) return event
  return { ...event, data: { ...event.data, ...Object.fromEntries(held.map((member) => [member, null])) } }
}

function withoutReason(event: RecordedEvent): RecordedEvent {
  const { reason, ...metadata } = event.metadata
  return reason === undefined ? event : { ...event, metadata }
}
