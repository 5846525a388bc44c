import { z } from 'zod'
import { shownSchema } from '../schemas/shown-as.ts'
import { meaningOf, memberMeanings } from './member-meanings.ts'
import { unitsInWords } from '../../../application/wire-objects/units-in-words.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** Converts schemas to JSON Schema 2020-12. Schemas with an id appear once, among the components. */
export interface ComponentSchemas {
  /**
   * `input`: as clients send it; `output`: as they receive it. `owner` names what the members of what they send belong to, which
   * decides what some of them mean: the name of the operation.
   */
  jsonSchema(schema: z.ZodType, direction: 'input' | 'output', owner?: string): JsonSchema
  /** All components met so far, by id. */
  readonly components: Readonly<Record<string, JsonSchema>>
}

const conversion = z.object({
  properties: z.object({ it: z.record(z.string(), z.unknown()) }),
  $defs: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
})

/** Throws if two schemas have the same id, or if one schema has two forms. */
export function componentSchemas(): ComponentSchemas {
  const components = new Map<string, JsonSchema>()

  function keep(id: string, schema: JsonSchema): void {
    const known = components.get(id)
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`The API document has two different schemas called ${id}: give one of them another id`)
    components.set(id, schema)
  }

  return {
    jsonSchema(schema, direction, owner = '') {
      // As a member, a schema with an id becomes a reference like any other.
      const shown = z.object({ it: shownSchema(schema) })
      const converted = z.toJSONSchema(shown, { io: direction, unrepresentable: 'any', override: withUnit })
      const { properties, $defs } = conversion.parse(JSON.parse(JSON.stringify(converted, tidied(direction))))
      const meant = (name: string, each: JsonSchema) => (direction === 'input' ? withMeanings(name, each) : each)
      for (const [id, definition] of Object.entries($defs)) keep(id, meant(id, definition))
      return meant(owner, properties.it)
    },
    get components() {
      const sorted = [...components].toSorted(([a], [b]) => (a < b ? -1 : 1))
      return Object.fromEntries(sorted)
    },
  }
}

const units: ReadonlySet<unknown> = new Set(Object.values(unitsInWords))
const isSchemaObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a scalar says of its form stands behind what a member of its kind means. */
function withUnit({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes
  jsonSchema: { description?: string }
}): void {
  const { description } = jsonSchema
  const unit = unitOf(zodSchema)
  if (description === undefined || unit === undefined || description.endsWith(unit)) return
  jsonSchema.description = `${description} ${unit}`
}

/** The unit of a scalar, which may be optional. Undefined for all others. */
function unitOf(schema: z.core.$ZodType): string | undefined {
  const { def, parent } = (schema as z.core.$ZodTypes)._zod
  const description = z.globalRegistry.get(schema)?.description
  if (description !== undefined && units.has(description)) return description
  if (parent) return unitOf(parent)
  return def.type === 'optional' ? unitOf(def.innerType) : undefined
}

/**
 * The schema of what is sent, whose members say what they mean. A schema that says it itself needs no other words; a unit stands
 * behind them. The members of answers say it themselves.
 */
function withMeanings(owner: string, schema: JsonSchema): JsonSchema {
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inside)
    return isSchemaObject(value) ? withMeanings(owner, value) : value
  }
  const meaningful = (name: string, given: JsonSchema): JsonSchema => {
    const member = withMeanings(name, given)
    const { description } = member
    const isUnit = units.has(description)
    const general = description === undefined || isUnit ? meaningOf(name, canBeNull(member)) : undefined
    const meaning = memberMeanings.get(`${owner}.${name}`) ?? general
    if (meaning === undefined) return member
    return { ...member, description: isUnit ? `${meaning} ${String(description)}` : meaning }
  }
  const part = ([key, value]: [string, unknown]): [string, unknown] => {
    if (withSchemas.has(key)) return [key, inside(value)]
    if (key !== 'properties' || !isSchemaObject(value)) return [key, value]
    const members = Object.entries(value).map(([name, member]) => [
      name,
      isSchemaObject(member) ? meaningful(name, member) : member,
    ])
    return [key, Object.fromEntries(members)]
  }
  return Object.fromEntries(Object.entries(schema).map(part))
}

/** Whether null is one of the values. */
function canBeNull({ type, anyOf }: JsonSchema): boolean {
  if (Array.isArray(anyOf)) return anyOf.some((each) => isSchemaObject(each) && canBeNull(each))
  return [type].flat().includes('null')
}

/** The keywords besides `properties` that contain schemas. */
const withSchemas: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'])

/** The same schema. A schema that its members refer to would say what it means first, and all others last. */
function descriptionLast(schema: JsonSchema): JsonSchema {
  const { description, ...rest } = schema
  return typeof description === 'string' ? { ...rest, description } : schema
}

/** Integers have these bounds where a schema gives none: what JSON's numbers hold exactly. They say nothing of a member. */
const isNoBound = (name: string, value: unknown): boolean =>
  (name === 'minimum' && value === Number.MIN_SAFE_INTEGER) || (name === 'maximum' && value === Number.MAX_SAFE_INTEGER)

/**
 * Points references to the components. Answers may gain members, so their schemas are not closed. Drops "read only", and bounds
 * that are none.
 */
function tidied(direction: 'input' | 'output') {
  return (name: string, given: unknown): unknown => {
    const value = isSchemaObject(given) ? descriptionLast(given) : given
    if (name === '$ref' && typeof value === 'string') return value.replace('#/$defs/', '#/components/schemas/')
    if (name === 'readOnly' && value === true) return undefined
    if (isNoBound(name, value)) return undefined
    if (name === 'additionalProperties' && value === false && direction === 'output') return undefined
    return value
  }
}
