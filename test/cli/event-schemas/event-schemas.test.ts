import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventText } from '../../../cli/history-file/format.ts'
import { shownTo } from '../../../domain/admin/personal-members.ts'
import { aggregateNames, eventCatalogs } from '../../../domain/aggregates.ts'
import { historiesOf } from '../../../domain/testing/every-aggregate.ts'
import { samples, type Sample } from '../../domain/released-events/samples.ts'
import { schemas, faultOf, faultOfLine } from './support/schemas.ts'

type Json = Readonly<Record<string, unknown>>

/** The line of an export that has a sample. */
const lineOf = ({ stored }: Sample): Json & { readonly data: Json; readonly metadata: Json } =>
  JSON.parse(eventText(stored))

const described = Object.values(eventCatalogs).flatMap(({ category, events }) =>
  Object.entries(events).map(([type, definition]) => ({ category, type, ...definition })),
)

describe('the schemas of events', () => {
  it('are those of every version of every event, and mark the older ones', () => {
    const versions = described.flatMap(({ category, type, version }) =>
      Array.from({ length: version }, (_, older) => [`${type}.v${older + 1}`, category, older + 1 < version] as const),
    )
    const found = Object.entries(schemas.$defs).flatMap(([name, schema]) =>
      'x-category' in schema ? [[name, schema['x-category'], schema['deprecated'] === true] as const] : [],
    )
    expect(found).toStrictEqual(versions)
    for (const { type, version } of described)
      expect(schemas.$defs[type]).toStrictEqual({ $ref: `#/$defs/${type}.v${version}` })
  })

  it('say which members are personal, and who may see them', () => {
    const personal = described.map(({ category, type, version, personal: members = [] }) => {
      const { properties } = schemas.$defs[`${type}.v${version}`] as { readonly properties: Record<string, Json> }
      const marked = Object.entries(properties).filter(([, member]) => 'x-shown-to' in member)
      const said = Object.fromEntries(marked.map(([name, member]) => [name, member['x-shown-to']]))
      return { type, said, known: Object.fromEntries(members.map((name) => [name, shownTo(category, name)])) }
    })
    for (const { type, said, known } of personal) expect({ type, said }).toStrictEqual({ type, said: known })
    expect(personal.find(({ type }) => type === 'TotpEnabled')?.said).toStrictEqual({ secret: 'nobody' })
  })

  it('describe events and members in the words of the code', () => {
    const { description, properties } = schemas.$defs['InviteRedeemed.v1'] as Json & { properties: Json }
    expect(description).toBe("One use taken for one account. The account joins next; if it can't, the use is returned.")
    expect(properties['uses']).toStrictEqual({
      description: 'The number of uses taken, including this one.',
      type: 'number',
    })
    // What is said where the event is declared goes before what is said of its data.
    expect(schemas.$defs['MemberLeft.v1']?.['description']).toMatch(/^`leftAt` is absent/)
  })
})

it('a sample holds every member of every version, so that none can go or become another kind', () => {
  const held = new Set(samples.flatMap(({ type, version, stored }) => membersOf(`${type}.v${version}`, stored.data)))
  const known = Object.entries(schemas.$defs).flatMap(([name, schema]) =>
    'x-category' in schema ? Object.keys(Object(schema['properties'])).map((member) => `${name} ${member}`) : [],
  )
  expect(known.filter((member) => !held.has(member))).toStrictEqual([])
})

const membersOf = (name: string, data: unknown): readonly string[] =>
  Object.entries(Object(data)).flatMap(([member, value]) => (value === null ? [] : [`${name} ${member}`]))

describe.each(samples)('a line of an export with $name', (sample) => {
  const line = lineOf(sample)
  const { version, type, category, reads } = sample

  it('is valid, and what it reads as is the newest version', () => {
    expect(faultOfLine(line)).toBeUndefined()
    expect(faultOf(type, reads)).toBeUndefined()
  })

  it('is not valid with another member, without one, or with one of another kind', () => {
    const others = [
      { ...line, more: 1 },
      { ...line, data: { ...line.data, more: 1 } },
      { ...line, metadata: { ...line.metadata, more: 1 } },
      ...requiredOf('Metadata').map((member) => ({ ...line, metadata: without(line.metadata, member) })),
      ...Object.keys(line).map((member) => without(line, member)),
      ...requiredOf(`${type}.v${version}`).map((member) => ({ ...line, data: without(line.data, member) })),
      ...Object.keys(line.data).map((member) => ({ ...line, data: { ...line.data, [member]: [[[]]] } })),
    ]
    expect(others.filter((other) => faultOfLine(other) === undefined)).toStrictEqual([])
  })

  it('is not valid as another type, in a stream of another category, or as a version to come', () => {
    const newest = eventCatalogs[category].events[type]?.version ?? 0
    const others = [
      { ...line, type: `${type}Again` },
      { ...line, stream: `${category}_again-1` },
      { ...line, metadata: { ...line.metadata, schemaVersion: newest + 1 } },
    ]
    expect(others.filter((other) => faultOfLine(other) === undefined)).toStrictEqual([])
  })
})

const without = (value: Json, member: string): Json =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== member))

const requiredOf = (definition: string): readonly string[] =>
  schemas.$defs[definition]?.['required'] as readonly string[]

describe('what is decided in any history', () => {
  it.each(aggregateNames)('is as the schemas say: %s', (name) => {
    const decided = new Set<string>()
    fc.assert(
      fc.property(historiesOf(name), ({ events }) => {
        for (const { type, data } of events) {
          decided.add(type)
          const fault = faultOf(type, JSON.parse(JSON.stringify(data)))
          expect({ type, fault }).toStrictEqual({ type, fault: undefined })
        }
      }),
    )
    expect(decided.size).toBeGreaterThan(0)
  })
})
