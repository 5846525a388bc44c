import { z } from 'zod'
import { isSchema, type Operation } from '../../../adapters/http/operation.ts'
import { stillImage } from '../../operations/support/pictures.ts'

interface JsonSchema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly minLength?: number
  readonly minItems?: number
  readonly minimum?: number
}

/**
 * The smallest body that an operation's schema describes: only the required members. `id` is used wherever an id is needed. Rules
 * that a schema does not express in JSON Schema are not met: the operation then answers with 400, and the test must supply the
 * values.
 */
export function sampleBody({ body }: Operation, id: string): unknown {
  if (!isSchema(body)) return undefined
  const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  return sample(schema, schema.$defs ?? {}, id)
}

function sample(schema: JsonSchema, defs: Readonly<Record<string, JsonSchema>>, id: string): unknown {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
    return name === 'Snowflake' ? id : sample(defs[name] ?? {}, defs, id)
  }
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const [alternative] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []
  if (alternative) return sample(alternative, defs, id)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, sample(schema.properties?.[name] ?? {}, defs, id)]),
      )
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}, defs, id))
    case 'string':
      return 'a'.repeat(schema.minLength ?? 1)
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, 0)
    case 'boolean':
      return false
    default:
      return null
  }
}

/** Bodies of operations whose schema requires more than JSON Schema can say, by their names. */
export async function bodiesBeyondSchemas(): Promise<Readonly<Record<string, object>>> {
  const image = await stillImage()
  return {
    'Bulk delete messages': { message_ids: ['1', '2'] },
    'Create guild emoji': { name: 'wave', image },
    'Create several guild emojis': { emojis: [{ name: 'wave', image }] },
    'Modify guild emoji': { name: 'wave' },
    'Create guild sticker': { name: 'wave', image, tags: ['hello'] },
    'Create several guild stickers': { stickers: [{ name: 'wave', image, tags: ['hello'] }] },
    'Request attachment uploads': {
      attachments: [{ id: 0, filename: 'notes.txt', file_size: 5, content_type: 'text/plain' }],
    },
  }
}
