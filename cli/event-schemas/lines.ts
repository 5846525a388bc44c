import { z } from 'zod'
import { lineSchemas } from '../history-file/format.ts'
import { implication, referenceTo, type JsonSchema } from './schemas-of-types.ts'

/** The lines of an export by the names of their definitions, with what each is. */
const lines = [
  { kind: 'header', name: 'HeaderLine', description: 'The first line of an export.' },
  { kind: 'event', name: 'EventLine', description: 'An event as the store keeps it.' },
  { kind: 'key', name: 'KeyLine', description: 'The key of an account, wrapped. Only if keys were asked for.' },
  {
    kind: 'destroyedKey',
    name: 'DestroyedKeyLine',
    description: 'That the key of an account is destroyed. Only if keys were asked for.',
  },
  {
    kind: 'block',
    name: 'BlockLine',
    description: 'How many lines it seals, and the SHA-256 of all bytes of the file before it.',
  },
  {
    kind: 'end',
    name: 'EndLine',
    description: 'Counts, and the SHA-256 of all bytes before it. A file without it is not whole.',
  },
] as const

/** The name of the definition of metadata. */
export const metadataName = 'Metadata'

/** The schemas of the lines of an export. What the data of an event must be follows from its type: `rules` say so. */
export function lineDefinitions(
  types: readonly string[],
  rules: readonly JsonSchema[],
): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    lines.map(({ kind, name, description }) => {
      const schema = { description, ...schemaOf(lineSchemas[kind]) }
      return [name, kind === 'event' ? { ...withMembersOfEvent(schema, types), allOf: rules } : schema]
    }),
  )
}

/** Says of any line by its kind which definition holds for it. */
export function anyLine(): JsonSchema {
  const kinds = lines.map(({ kind, name }) => ({ value: lineSchemas[kind].shape.kind.value, name }))
  return {
    type: 'object',
    properties: { kind: { enum: kinds.map(({ value }) => value) } },
    required: ['kind'],
    allOf: kinds.map(({ value, name }) => implication({ properties: { kind: { const: value } } }, referenceTo(name))),
  }
}

function withMembersOfEvent(line: JsonSchema, types: readonly string[]): JsonSchema {
  const properties = Object(line['properties']) as Readonly<Record<string, JsonSchema>>
  const ofEvent = { type: { enum: types }, data: { type: 'object' }, metadata: referenceTo(metadataName) }
  return { ...line, properties: { ...properties, ...ofEvent } }
}

/** Without `format`: what it says stands in `pattern` too, which every validator heeds. */
function schemaOf(line: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(line, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.type === 'object') jsonSchema.additionalProperties = false
      delete jsonSchema.format
    },
  })
  return schema
}
