import { z } from 'zod'

export type JsonSchema = Readonly<Record<string, unknown>>

/** Converts schemas to JSON Schema 2020-12. Schemas with an id appear once, among the components. */
export interface ComponentSchemas {
  /** `input`: as clients send it; `output`: as they receive it. */
  jsonSchema(schema: z.ZodType, direction: 'input' | 'output'): JsonSchema
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
    jsonSchema(schema, direction) {
      // As a member, a schema with an id becomes a reference like any other.
      const converted = z.toJSONSchema(z.object({ it: schema }), { io: direction, unrepresentable: 'any' })
      const { properties, $defs } = conversion.parse(JSON.parse(JSON.stringify(converted, tidied(direction))))
      for (const [id, definition] of Object.entries($defs)) keep(id, definition)
      return properties.it
    },
    get components() {
      return Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    },
  }
}

/** Points references to the components. Answers may gain members, so their schemas are not closed. Drops "read only". */
function tidied(direction: 'input' | 'output') {
  return (name: string, value: unknown): unknown => {
    if (name === '$ref' && typeof value === 'string') return value.replace('#/$defs/', '#/components/schemas/')
    if (name === 'readOnly' && value === true) return undefined
    if (name === 'additionalProperties' && value === false && direction === 'output') return undefined
    return value
  }
}
