import type { EventMetadata, RecordedEvent } from '../ports/event-store.ts'
import { accountOfTarget } from '../../domain/admin-audit/account-of-target.ts'
import { eventCatalogs } from '../../domain/aggregates.ts'
import { accountId, type AccountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import type { EventCatalog, EventDefinition } from '../../domain/kernel/event-catalog.ts'
import { categoryOf, idOf } from '../../domain/streams.ts'

type Data = Readonly<Record<string, unknown>>

/** Undefined for a type that a catalog does not have. */
export function definitionOf(catalog: EventCatalog, type: string): EventDefinition | undefined {
  return Object.hasOwn(catalog.events, type) ? catalog.events[type] : undefined
}

/**
 * The account that the reason of an event is about: the one that the type of the event says, or else the target of an
 * administrator's action. Undefined if the reason is not personal.
 */
export function reasonSubject(
  catalog: EventCatalog,
  stream: string,
  definition: EventDefinition | undefined,
  data: Data,
  metadata: Pick<EventMetadata, 'adminAction'>,
): AccountId | undefined {
  const about = reasonAbout(definition, metadata)
  return about === 'subject' ? subject(catalog, stream, data) : about
}

/** Whom a reason is about: the subject of its event, the target of an administrator's action, or nobody. */
function reasonAbout(
  definition: EventDefinition | undefined,
  { adminAction }: Pick<EventMetadata, 'adminAction'>,
): 'subject' | AccountId | undefined {
  if (definition?.personalReason === true) return 'subject'
  return adminAction && accountOfTarget(adminAction.target)
}

/** What of a recorded event is personal, and so is sealed where it is stored: members of its data, and its reason. */
export function personalParts({ stream, type, metadata }: Pick<RecordedEvent, 'stream' | 'type' | 'metadata'>): {
  readonly members: readonly string[]
  readonly reason: boolean
} {
  const category = categoryOf(stream)
  const definition = category && definitionOf(eventCatalogs[category], type)
  return { members: definition?.personal ?? [], reason: reasonAbout(definition, metadata) !== undefined }
}

/** The account whose key seals the personal members of an event. */
export function subject(catalog: EventCatalog, stream: string, data: Data): AccountId {
  if (!catalog.subjectOf) throw new Error(`the catalog of ${catalog.category} names no account for its personal data`)
  return accountId(snowflake(catalog.subjectOf(idOf(stream), data)))
}
