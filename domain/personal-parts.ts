import { accountOfTarget } from './admin-audit/account-of-target.ts'
import { eventCatalogs } from './aggregates.ts'
import { accountId, type AccountId } from './ids/ids.ts'
import { snowflake } from './ids/snowflake.ts'
import type { EventCatalog, EventDefinition } from './kernel/event-catalog.ts'
import { categoryOf, idOf } from './streams.ts'

type Data = Readonly<Record<string, unknown>>

/** What of an event's metadata says whom its reason is about. */
interface Acted {
  readonly adminAction?: { readonly target: { readonly type: string; readonly id: string } }
}

/** An event as far as its type says what is personal in it. */
interface TypedEvent {
  readonly stream: string
  readonly type: string
  readonly metadata: Acted
}

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
  metadata: Acted,
): AccountId | undefined {
  const about = reasonAbout(definition, metadata)
  return about === 'subject' ? subject(catalog, stream, data) : about
}

/** Whom a reason is about: the subject of its event, the target of an administrator's action, or nobody. */
function reasonAbout(
  definition: EventDefinition | undefined,
  { adminAction }: Acted,
): 'subject' | AccountId | undefined {
  if (definition?.personalReason === true) return 'subject'
  return adminAction && accountOfTarget(adminAction.target)
}

/** What of a recorded event is personal, and so is sealed where it is stored: members of its data, and its reason. */
export function personalParts({ stream, type, metadata }: TypedEvent): {
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

/** Whose keys seal what is personal in an event; undefined where its type has nothing of the kind. */
export interface PersonalSubjects {
  /** Of the personal members of its data. */
  readonly members: AccountId | undefined
  /** Of its reason. */
  readonly reason: AccountId | undefined
}

/**
 * Whom the personal parts of a recorded event are about. It follows from the event's type, so it is the same once the key is destroyed,
 * and for an event whose personal members are all null.
 */
export function personalSubjects(event: TypedEvent & { readonly data: object }): PersonalSubjects {
  const { stream, type, metadata } = event
  const category = categoryOf(stream)
  const catalog = category && eventCatalogs[category]
  const definition = catalog && definitionOf(catalog, type)
  if (!catalog || !definition) return { members: undefined, reason: undefined }
  const data: Data = { ...event.data }
  const holdsPersonal = (definition.personal ?? []).length > 0
  return {
    members: holdsPersonal ? subject(catalog, stream, data) : undefined,
    reason: reasonSubject(catalog, stream, definition, data, metadata),
  }
}
