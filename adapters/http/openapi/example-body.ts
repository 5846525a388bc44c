import { z } from 'zod'
import { isSchema, type Operation, type Schema } from '../operation.ts'
import type { JsonSchema } from './component-schemas.ts'
import { exampleValues } from './example-values.ts'

const described = z.looseObject({
  $ref: z.string().optional(),
  examples: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.record(z.string(), z.unknown())).optional(),
  oneOf: z.array(z.record(z.string(), z.unknown())).optional(),
  allOf: z.array(z.record(z.string(), z.unknown())).optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  required: z.array(z.string()).optional(),
  items: z.record(z.string(), z.unknown()).optional(),
  minItems: z.int().optional(),
  minLength: z.int().optional(),
  minimum: z.number().optional(),
})

/** An id that the server could have given. */
const exampleId = '1500000000000000000'
const isId = (name: string): boolean => /(?:^|_)ids?$/.test(name)

/**
 * The smallest body that does something. Sudo mode is proved by the password of the examples. An operation without a
 * body has none.
 */
export function exampleBody({ body, sudo, exampleBody: given }: Operation): unknown {
  const own = given ?? exampleOf(body)
  if ('none' in sudo) return own
  return { ...(own as object | undefined), password: exampleValues.get('password') }
}

/** The smallest value that a schema accepts, as clients send it; undefined without a schema. */
export function exampleOf(schema: Schema): unknown {
  if (!isSchema(schema)) return undefined
  const converted: JsonSchema = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return valueOf('', converted, definitionsOf(converted))
}

type Definitions = Readonly<Record<string, JsonSchema>>

const definitionsOf = (schema: JsonSchema): Definitions =>
  z.looseObject({ $defs: z.record(z.string(), z.record(z.string(), z.unknown())).default({}) }).parse(schema).$defs

/** `name`: the member that it is the value of; empty for the body itself. */
function valueOf(name: string, schema: JsonSchema, definitions: Definitions): unknown {
  const { $ref, examples, enum: values, anyOf, oneOf, allOf, ...rest } = described.parse(schema)
  const of = (inner: JsonSchema): unknown => valueOf(name, inner, definitions)
  if (examples && examples.length > 0) return examples[0]
  if (rest.const !== undefined) return rest.const
  if (values) return values[0]
  if (exampleValues.has(name)) return exampleValues.get(name)
  if ($ref !== undefined) return of(definitions[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {})
  const [choice] = anyOf ?? oneOf ?? []
  if (isId(name) && rest.type !== 'array') return exampleId
  if (choice) return of(choice)
  if (allOf) return Object.assign({}, ...allOf.map(of))
  return plainValueOf(name, rest, definitions)
}

function plainValueOf(
  name: string,
  { type, properties = {}, required = [], items, minItems = 0, minLength = 1, minimum }: z.output<typeof described>,
  definitions: Definitions,
): unknown {
  const [first] = [type].flat()
  if (first === 'object')
    return Object.fromEntries(required.map((each) => [each, valueOf(each, properties[each] ?? {}, definitions)]))
  if (first === 'array') return Array.from({ length: minItems }, () => valueOf(name, items ?? {}, definitions))
  if (first === 'integer' || first === 'number') return minimum === undefined || minimum < 0 ? 0 : minimum
  if (first === 'boolean') return true
  if (first === 'null') return null
  return 'x'.repeat(Math.max(minLength, 1))
}
