import type { EventMetadata, NewEvent, RecordedEvent } from '../../application/ports/event-store.ts'
import { appendBytes_max, AppendTooLarge } from '../../application/failures/append-too-large.ts'
import type { PersonalDataKeys } from '../../application/ports/personal-data-keys.ts'
import { eventCatalogs, type EventCatalogs } from '../../domain/aggregates.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import type { EventCatalog, EventDefinition } from '../../domain/kernel/event-catalog.ts'
import { categoryOf, type StreamName } from '../../domain/streams.ts'
import { UnstorableEvents } from './errors.ts'
import { definitionOf, reasonSubject, subject } from '../../domain/personal-parts.ts'
import { isSealed, seal, unseal, type Sealed } from './sealing.ts'
import { misfitIn } from './misfit.ts'
import { isStorable } from './storable-text.ts'
import type { EncodedEvent, FreshEvent, StoredEvent } from './stored-event.ts'
import { decodeMetadata, encodeMetadata } from './stored-metadata.ts'
import { Undecodable, unreadableMark } from './undecodable.ts'

/** What the id of an event counts in an append, whatever form a store keeps it in. */
export const idBytes = 64

/** Encodes events in the form that stores keep, and decodes them into the current version of their types. */
export interface EventCodec {
  /**
   * Rejects with UnstorableEvents if the catalogs forbid the events, if there are too many, or if their text can't be stored.
   * Rejects with AppendTooLarge if they exceed `appendBytes_max`.
   */
  encode(stream: string, events: readonly NewEvent[]): Promise<readonly FreshEvent[]>
  /** Rejects with UnreadableEvent at the first event that is unknown, of a newer version, or broken. */
  decode(stored: readonly StoredEvent[]): Promise<readonly RecordedEvent[]>
  /** Like `decode`, but gives `Unreadable` for each such event. Rejects only if the keys are unavailable. */
  decodeEach(stored: readonly StoredEvent[]): Promise<readonly RecordedEvent[]>
}

export const appendEvents_max = 1000

type Data = Readonly<Record<string, unknown>>
type Keys = ReadonlyMap<AccountId, Uint8Array>

/**
 * The codec of one store. Each call asks for keys once, and only for the accounts whose personal data its events hold. Data is
 * checked against the catalogs where those declare its members.
 */
export function eventCodec(keys: PersonalDataKeys, catalogs: EventCatalogs = eventCatalogs): EventCodec {
  return {
    async encode(stream, events) {
      const catalog = catalogFor(catalogs, stream, events)
      const subjects = new Set(events.flatMap((event) => subjectOfNew(catalog, stream, event)))
      const held = subjects.size === 0 ? noKeys : await keys.keysFor([...subjects])
      const encoded = events.map((event) => encodeEvent(catalog, stream, event, held))
      requireAppendable(stream, encoded)
      return encoded
    },
    async decode(stored) {
      const recognised = stored.map((event) => recognise(catalogs, event))
      const held = await keysOf(recognised, keys)
      return recognised.map((event) => decodeEvent(event, held))
    },
    async decodeEach(stored) {
      const recognised = stored.map((event) => orUndecodable(() => recognise(catalogs, event)))
      const known = recognised.flatMap((event) => (event instanceof Undecodable ? [] : event))
      const held = await keysOf(known, keys)
      return recognised.map((event) => {
        const decoded = event instanceof Undecodable ? event : orUndecodable(() => decodeEvent(event, held))
        return decoded instanceof Undecodable ? unreadableMark(decoded) : decoded
      })
    },
  }
}

async function keysOf(events: readonly Recognised[], keys: PersonalDataKeys): Promise<Keys> {
  const subjects = new Set(events.flatMap(({ subject, reasonIsOf }) => [subject ?? [], reasonIsOf ?? []].flat()))
  return subjects.size === 0 ? noKeys : keys.existingKeys([...subjects])
}

function orUndecodable<Result>(read: () => Result): Result | Undecodable {
  try {
    return read()
  } catch (error) {
    if (error instanceof Undecodable) return error
    throw error
  }
}

const noKeys: Keys = new Map()

function catalogFor(catalogs: EventCatalogs, stream: string, events: readonly NewEvent[]): EventCatalog {
  const category = categoryOf(stream)
  const catalog = category && catalogs[category]
  if (!catalog) throw new UnstorableEvents(stream, 'no event catalog has its category')
  if (!isStorable(JSON.stringify(stream)))
    throw new UnstorableEvents(stream, 'its name holds text that can not be stored')
  if (events.length < 1 || events.length > appendEvents_max) {
    throw new UnstorableEvents(stream, `one append holds 1-${appendEvents_max} events, not ${events.length}`)
  }
  const unknown = events.find(({ type }) => !definitionOf(catalog, type))
  if (unknown) throw new UnstorableEvents(stream, `its catalog has no event type ${JSON.stringify(unknown.type)}`)
  return catalog
}

/** The accounts whose keys an event needs: none if no personal part of the event has a value. */
function subjectOfNew(catalog: EventCatalog, stream: string, { type, data, metadata }: NewEvent): AccountId[] {
  const record: Data = { ...data }
  const definition = definitionOf(catalog, type)
  const holdsAny = (definition?.personal ?? []).some((member) => holds(record, member))
  const reasonIsOf =
    metadata.reason === undefined ? undefined : reasonSubject(catalog, stream, definition, record, metadata)
  return [...(holdsAny ? [subject(catalog, stream, record)] : []), ...(reasonIsOf === undefined ? [] : [reasonIsOf])]
}

const holds = (data: Data, member: string): boolean => data[member] !== undefined && data[member] !== null

function encodeEvent(catalog: EventCatalog, stream: string, event: NewEvent, keys: Keys): FreshEvent {
  const { eventId } = event.metadata
  const definition = definitionOf(catalog, event.type)
  const plain = JSON.stringify(event.data)
  const reasonIsOf = reasonSubject(catalog, stream, definition, { ...event.data }, event.metadata)
  const written =
    reasonIsOf === undefined ? event.metadata : withSealedReason(stream, event.metadata, keys.get(reasonIsOf))
  const metadata = encodeMetadata(written, definition?.version ?? 1)
  if (!isStorable(plain) || !isStorable(metadata)) {
    throw new UnstorableEvents(stream, `${event.type} holds NUL or half of a surrogate pair`)
  }
  const kept = definition?.personal && sealed(catalog, definition.personal, stream, event, keys)
  const asRead = (): ReturnType<FreshEvent['asRead']> => {
    const data = asReadBack(plain, kept, definition?.personal)
    if (definition?.members && misfitIn(data, definition.members) !== undefined) return undefined
    const { sealedReason, ...others }: Partial<ReturnType<typeof withSealedReason>> & EventMetadata = written
    const isOpen = sealedReason !== undefined && event.metadata.reason !== undefined
    return { type: event.type, data, metadata: isOpen ? { ...others, reason: event.metadata.reason } : others }
  }
  return { eventId, type: event.type, data: kept ? JSON.stringify(kept) : plain, metadata, asRead }
}

/** The data as it reads back from JSON, without members that no key could seal. */
function asReadBack(plain: string, kept: Data | undefined, personal: readonly string[] = []): Data {
  // JSON.stringify wrote this from the data of an event, which is an object.
  const data = JSON.parse(plain) as Record<string, unknown>
  for (const member of personal) if (kept?.[member] === null) data[member] = null
  return data
}

/** Every store accepts the same size, so that events can be moved from any store to any other. */
function requireAppendable(stream: string, events: readonly EncodedEvent[]): void {
  const bytes = events.reduce((sum, event) => sum + storedBytes(event), 0)
  if (bytes <= appendBytes_max) return
  throw new AppendTooLarge(`${events.length} events for ${stream} have ${bytes} bytes, not ${appendBytes_max} at most`)
}

/** The size of an event in bytes, as `appendBytes_max` counts it. */
export function storedBytes({ type, data, metadata }: EncodedEvent): number {
  return Buffer.byteLength(data) + Buffer.byteLength(metadata) + 2 * type.length + idBytes
}

/** The metadata with the reason sealed, or without a reason if the account's key is destroyed. */
function withSealedReason(
  stream: string,
  { reason, ...metadata }: EventMetadata,
  key: Uint8Array | undefined,
): EventMetadata & { readonly sealedReason?: Sealed } {
  return key && reason !== undefined
    ? { ...metadata, sealedReason: seal(key, reasonContext(stream, metadata.eventId), reason) }
    : metadata
}

/** It has two parts, so it differs from the context of data members, which has three. */
const reasonContext = (stream: string, eventId: string): readonly string[] => [stream, eventId, 'metadata', 'reason']

/** The data with its personal members sealed. They are null if the account's key is destroyed, as they would read anyway. */
function sealed(catalog: EventCatalog, personal: readonly string[], stream: string, event: NewEvent, keys: Keys): Data {
  const data: Record<string, unknown> = { ...event.data }
  for (const member of personal.filter((name) => holds(data, name))) {
    const key = keys.get(subject(catalog, stream, { ...event.data }))
    data[member] = key ? seal(key, [stream, event.metadata.eventId, member], data[member]) : null
  }
  return data
}

/** A stored event whose type and version are known here. */
interface Recognised {
  readonly stored: StoredEvent
  readonly definition: EventDefinition
  readonly schemaVersion: number
  readonly metadata: EventMetadata
  readonly data: Data
  readonly sealedReason: Sealed | undefined
  /** The account whose key opens the sealed members of the data; undefined if nothing is sealed there. */
  readonly subject: AccountId | undefined
  /** The account whose key opens the reason; undefined if that is not sealed. */
  readonly reasonIsOf: AccountId | undefined
}

function recognise(catalogs: EventCatalogs, stored: StoredEvent): Recognised {
  const category = categoryOf(stored.stream)
  const catalog = category && catalogs[category]
  if (!catalog) throw new Undecodable(stored, 'category', 'no event catalog has the category of its stream')
  const definition = definitionOf(catalog, stored.type)
  if (!definition) throw new Undecodable(stored, 'type', `the catalog of ${category} has no such type`)
  return readable(stored, () => {
    const { schemaVersion, metadata, sealedReason } = decodeMetadata(stored.metadata, stored.eventId)
    if (schemaVersion > definition.version) {
      throw new Error(`it has version ${schemaVersion}, newer than ${definition.version}, the newest known here`)
    }
    const { data } = stored
    if (!isRecord(data)) throw new Error('its data is not a JSON object')
    const anySealed = catalog.subjectOf !== undefined && Object.values(data).some(isSealed)
    const owner = anySealed ? subject(catalog, stored.stream, data) : undefined
    const reasonIsOf = sealedReason && reasonSubject(catalog, stored.stream, definition, data, metadata)
    return { stored, definition, schemaVersion, metadata, data, sealedReason, subject: owner, reasonIsOf }
  })
}

function decodeEvent(event: Recognised, keys: Keys): RecordedEvent {
  const { stored } = event
  const { revision, position, type } = stored
  return readable(stored, () => {
    // Its category is known, so this is the name of a stream.
    const stream = stored.stream as StreamName
    return { stream, revision, position, type, data: dataOf(event, keys), metadata: metadataOf(event, keys) }
  })
}

/** The metadata, with the reason if there is one that can still be read. */
function metadataOf({ stored, metadata, sealedReason, reasonIsOf }: Recognised, keys: Keys): EventMetadata {
  const key = reasonIsOf === undefined ? undefined : keys.get(reasonIsOf)
  if (!key || !sealedReason) return metadata
  const reason = unseal(key, reasonContext(stored.stream, metadata.eventId), sealedReason)
  if (typeof reason !== 'string') throw new Error('its reason is not a text')
  return { ...metadata, reason }
}

/** The data in its newest version, unsealed. Throws if a member is missing or of another kind. */
function dataOf({ stored, definition, schemaVersion, data: sealed, subject: owner }: Recognised, keys: Keys): Data {
  const data = upcast(definition, schemaVersion, owner === undefined ? sealed : opened(stored, sealed, keys.get(owner)))
  const misfit = definition.members && misfitIn(data, definition.members)
  if (misfit !== undefined) throw new Error(misfit)
  return data
}

/** The data with its sealed members decrypted, or null if the key no longer exists. */
function opened({ stream, eventId }: StoredEvent, data: Data, key: Uint8Array | undefined): Data {
  const open = ([member, value]: [string, unknown]): [string, unknown] => {
    if (!isSealed(value)) return [member, value]
    return [member, key ? unseal(key, [stream, eventId, member], value) : null]
  }
  return Object.fromEntries(Object.entries(data).map(open))
}

function upcast({ version, upcasts = [] }: EventDefinition, from: number, data: Data): Data {
  if (upcasts.length !== version - 1) throw new Error(`it has ${upcasts.length} upcasts for ${version} versions`)
  return upcasts.slice(from - 1, version - 1).reduce((older, next) => next(older), data)
}

function isRecord(data: unknown): data is Data {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}

/** Adds the event's identity to any error in reading it. */
function readable<Result>(stored: StoredEvent, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw new Undecodable(stored, 'data', error instanceof Error ? error.message : String(error), { cause: error })
  }
}
