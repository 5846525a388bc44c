import { aggregates, eventCatalogs, type AggregateName } from '../../domain/aggregates.ts'
import { shownTo } from '../../domain/admin/personal-members.ts'
import type { EventDefinition } from '../../domain/kernel/event-catalog.ts'
import { anyLine, lineDefinitions, metadataName } from './lines.ts'
import { readEventTypes, type EventTypes, type TypesOfEvent } from './read-types.ts'
import { implication, orNull, referenceTo, type JsonSchema, type ObjectSchema } from './schemas-of-types.ts'

const introduction = [
  'Every event that any release has stored. The schema as a whole is that of one line of what `guildhall export` writes.',
  'In `$defs`, `GuildDeleted.v1` is the data of that type as version 1 stored it (`schemaVersion` of the metadata), and `GuildDeleted`',
  'that of its newest version, as which the API answers all of them. `x-category` is the category of its streams, whose names are the',
  'category, a hyphen and an id. A member with `x-shown-to` is personal: an export has it sealed, or null once the key of the account',
  'is destroyed; the API shows it to those who may use the ACL that it names, or to nobody, and null to all others.',
  '`x-personal-reason` says that the reason of such an event is sealed too.',
].join(' ')

/** One event of the product: what the code says of it, and what its types say. */
interface DescribedEvent {
  readonly category: string
  readonly type: string
  readonly definition: EventDefinition
  readonly types: TypesOfEvent
}

/** The JSON schema of every stored event in every released version, read from the types of the checkout at `root`. */
export function eventSchemas(root: string): JsonSchema {
  const types = readEventTypes(root)
  const events = eventsOf(types)
  const definitions = [
    ...Object.entries(
      lineDefinitions(
        events.map(({ type }) => type),
        events.map(ruleOf),
      ),
    ),
    [metadataName, { description: 'What is stored of every event beside its data.', ...types.metadata }] as const,
    ...events.flatMap(definitionsOf),
    ...[...types.definitions].toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ]
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Events of Guildhall',
    description: introduction,
    ...anyLine(),
    $defs: withoutTwins(definitions),
  }
}

function eventsOf({ events }: EventTypes): readonly DescribedEvent[] {
  return Object.keys(aggregates).flatMap((aggregate) => {
    const { category } = aggregates[aggregate as AggregateName]
    return Object.entries<EventDefinition>(eventCatalogs[category].events).map(([type, definition]) => {
      const types = events[aggregate]?.[type]
      if (types?.versions.length !== definition.version)
        throw new Error(`${type} has ${definition.version} versions, and types of ${types?.versions.length ?? 0}`)
      return { category, type, definition, types }
    })
  })
}

/** The data of each version, and by the name of the type that of the newest. */
function definitionsOf(event: DescribedEvent): readonly (readonly [string, JsonSchema])[] {
  const { category, type, definition, types } = event
  const versions = types.versions.map((data, older) => {
    const isNewest = older + 1 === definition.version
    const schema = {
      ...(isNewest && types.description !== undefined ? { description: types.description } : {}),
      ...(isNewest ? {} : { deprecated: true }),
      'x-category': category,
      ...(definition.personalReason ? { 'x-personal-reason': true } : {}),
      ...withPersonalMembers(data, category, definition.personal ?? []),
    }
    return [versionName(type, older + 1), schema] as const
  })
  return [...versions, [type, referenceTo(versionName(type, definition.version))]]
}

const versionName = (type: string, version: number): string => `${type}.v${version}`

/** Where a member is personal, what is sealed stands in its place, or null. The first releases stored some in the clear. */
function withPersonalMembers(data: ObjectSchema, category: string, personal: readonly string[]): ObjectSchema {
  const sealed = Object.entries(data.properties)
    .filter(([name]) => personal.includes(name))
    .map(([name, schema]) => {
      const { description, ...clear } = schema
      const choices = [...choicesOf(orNull(clear)), referenceTo('Sealed')]
      return [name, { description, 'x-shown-to': shownTo(category, name), anyOf: choices }] as const
    })
  return { ...data, properties: { ...data.properties, ...Object.fromEntries(sealed) } }
}

const choicesOf = (schema: JsonSchema): readonly JsonSchema[] =>
  Array.isArray(schema['anyOf']) ? (schema['anyOf'] as readonly JsonSchema[]) : [schema]

/** What the line of an event of one type must be: its data follow from its version. */
function ruleOf({ category, type, definition: { version } }: DescribedEvent): JsonSchema {
  const versions = Array.from({ length: version }, (_, older) => older + 1)
  const isVersion = (schema: JsonSchema): JsonSchema => ({ metadata: { properties: { schemaVersion: schema } } })
  const dataOf = (one: number): JsonSchema => ({ data: referenceTo(versionName(type, one)) })
  const stream = { pattern: `^${category}-` }
  const properties = { stream, ...isVersion({ enum: versions }) }
  const consequence =
    version === 1
      ? { properties: { ...properties, ...dataOf(1) } }
      : {
          properties,
          allOf: versions.map((one) =>
            implication({ properties: isVersion({ const: one }) }, { properties: dataOf(one) }),
          ),
        }
  return implication({ properties: { type: { const: type } } }, consequence)
}

/** Throws where two definitions have one name. */
function withoutTwins(definitions: readonly (readonly [string, JsonSchema])[]): Readonly<Record<string, JsonSchema>> {
  const names = new Set<string>()
  for (const [name] of definitions) {
    if (names.has(name)) throw new Error(`two definitions are named ${name}`)
    names.add(name)
  }
  return Object.fromEntries(definitions)
}

/** The schemas as a file: each definition on a line of its own, so that a change names what it changes. */
export function eventSchemasText(root: string): string {
  const { $defs, ...schema } = eventSchemas(root)
  const definitions = Object.entries(Object($defs)).map(
    ([name, each]) => `${JSON.stringify(name)}:${JSON.stringify(each)}`,
  )
  return `${JSON.stringify(schema).slice(0, -1)},"$defs":{\n${definitions.join(',\n')}\n}}\n`
}
