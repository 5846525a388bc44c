import fc, { type Arbitrary } from 'fast-check'
import { z } from 'zod'
import { isSchema, type Operation, type Schema } from '../../../adapters/http/operation.ts'

/** The values that a member or parameter of a name may have to come close to a real one. */
export type Known = (name: string) => readonly unknown[]

/** A request as it is sent. */
export interface ArbitraryRequest {
  readonly method: string
  readonly path: string
  /** The text of the body; undefined for none. */
  readonly body: string | undefined
}

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
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
}

interface Drawing {
  readonly defs: Readonly<Record<string, JsonSchema>>
  readonly known: Known
  /** Whether a value may be hostile. Such a body seldom passes its schema. */
  readonly hasHostile: boolean
}

const depth_max = 6
const items_max = 4
const given_max = 3
/** Longer than every bound of a text. */
const hugeText_characters = 20_000
const hugeList_items = 2000
const nestings = 70

const nested = (levels: number): unknown => {
  let value: unknown = {}
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

/** Values that no client means to send. */
const hostile: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 0.5, 1e308, -(2 ** 53) - 1, 2 ** 63, '', ' ', [], {}, [[]]),
  fc.constantFrom('\0', '\ud800', '\u{202e}x', '%00', '../..', "' or 1=1 --", '1e3', '-1', '9'.repeat(40), '٣'),
  fc.constantFrom<unknown>({ __proto__: 1 }, JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":{}}}')),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom('x', 'ß', '\u{1f468}\u{200d}\u{1f469}', 'a\u{336}').map((text) => text.repeat(hugeText_characters)),
  fc.constantFrom<unknown>(1, 'x', {}, []).map((item) => Array.from({ length: hugeList_items }, () => item)),
  fc.constant(nested(nestings)),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Requests to an operation, close to those that its schemas describe. */
export function arbitraryRequest(operation: Operation, known: Known): Arbitrary<ArbitraryRequest> {
  const { method, path, params, query, body } = operation
  const segments = path.split('/').map((segment) => (segment.startsWith(':') ? segment.slice(1) : undefined))
  const places = Object.fromEntries(
    segments.flatMap((name) => (name === undefined ? [] : [[name, param(name, known)]])),
  )
  return fc
    .record({
      places: fc.record(places),
      search: searchOf(query, known),
      text: method === 'GET' || !isSchema(body) ? fc.constantFrom(undefined, '{}', '[') : bodyText(body, known),
    })
    .map(({ places: values, search, text }) => ({
      method,
      path: path.replace(/:([a-z_]+)/g, (_, name: string) => String(values[name])) + search,
      body: method === 'GET' ? undefined : text,
    }))
    .filter(() => isSchema(params) || Object.keys(places).length === 0)
}

function param(name: string, known: Known): Arbitrary<string> {
  const odd = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
    fc.constantFrom('0', '1', '-1', '@me'),
  )
  return fc
    .oneof({ weight: 9, arbitrary: fc.constantFrom(...known(name)) }, { weight: 1, arbitrary: odd })
    .map((value) => encodeURIComponent(String(value)))
}

function searchOf(query: Schema, known: Known): Arbitrary<string> {
  if (!isSchema(query)) return fc.constantFrom('', '?x=1')
  const names = Object.keys(jsonSchema(query).properties ?? {})
  if (names.length === 0) return fc.constant('')
  const value = (name: string): Arbitrary<unknown> =>
    fc.oneof(fc.constantFrom<unknown>(...known(name), 1, 50, 'true', 'false'), hostile)
  const pair = fc.constantFrom(...names).chain((name) => value(name).map((given) => `${name}=${encoded(given)}`))
  return fc.array(pair, { maxLength: 4 }).map((pairs) => (pairs.length === 0 ? '' : `?${pairs.join('&')}`))
}

/** Short enough for a request line, and without halves of surrogate pairs, which a URL cannot hold. */
function encoded(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return encodeURIComponent(Buffer.from(text.slice(0, 300)).toString())
}

function bodyText(body: z.ZodType, known: Known): Arbitrary<string> {
  const schema = jsonSchema(body)
  const drawn = (hasHostile: boolean): Arbitrary<string> =>
    valueOf(schema, '', { defs: schema.$defs ?? {}, known, hasHostile }, 0).map((value) => JSON.stringify(value) ?? '')
  const near = drawn(true)
  const broken = near.chain((text) => fc.nat(text.length).map((at) => text.slice(0, at)))
  return fc.oneof(
    { weight: 20, arbitrary: drawn(false) },
    { weight: 15, arbitrary: near },
    { weight: 1, arbitrary: broken },
    { weight: 1, arbitrary: hostile.map((value) => JSON.stringify(value) ?? '') },
  )
}

function valueOf(schema: JsonSchema, name: string, drawing: Drawing, depth: number): Arbitrary<unknown> {
  if (!drawing.hasHostile) return fittingOf(schema, name, drawing, depth)
  return fc.oneof({ weight: 12, arbitrary: fittingOf(schema, name, drawing, depth) }, { weight: 1, arbitrary: hostile })
}

function fittingOf(schema: JsonSchema, name: string, drawing: Drawing, depth: number): Arbitrary<unknown> {
  const { defs, known } = drawing
  if (depth > depth_max) return fc.constant(null)
  if (schema.$ref !== undefined) {
    const referred = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
    return referred === 'Snowflake'
      ? fc.constantFrom(...known(name === '' ? 'id' : name), ...known('id'))
      : fittingOf(defs[referred] ?? {}, name, drawing, depth + 1)
  }
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const alternatives = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (alternatives) return fc.oneof(...alternatives.map((each) => fittingOf(each, name, drawing, depth + 1)))
  switch (schema.type) {
    case 'object':
      return objectOf(schema, drawing, depth)
    case 'array':
      return fc.array(valueOf(schema.items ?? {}, name, drawing, depth + 1), {
        maxLength: Math.min(schema.maxItems ?? items_max, items_max),
      })
    case 'integer':
    case 'number':
      return fc.oneof(numberOf(schema), ...numbersNamed(known(name)))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'string':
      return textOf(schema, name, known)
    default:
      return fc.oneof(fc.constantFrom(...known(name)), fc.jsonValue({ maxDepth: 2 }))
  }
}

function objectOf(schema: JsonSchema, drawing: Drawing, depth: number): Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema
  const members = Object.entries(properties).map(([name, of]) => [name, valueOf(of, name, drawing, depth + 1)] as const)
  // In such an object, `__proto__` would not become a member.
  const all = fc.record(Object.fromEntries(members))
  const needed = new Set(required)
  // Includes few of the optional members: a body with many of them is seldom accepted.
  const optional = Object.keys(properties).filter((name) => !needed.has(name))
  const plain = fc
    .tuple(all, fc.subarray(optional, { maxLength: Math.min(optional.length, given_max) }))
    .map(([object, given]) => pick(object, new Set([...needed, ...given])))
  if (typeof additionalProperties !== 'object') return plain
  const more = valueOf(additionalProperties, '', drawing, depth + 1)
  return fc.dictionary(fc.constantFrom(...drawing.known('id').map(String), 'x'), more, { maxKeys: items_max })
}

function pick(object: object, names: ReadonlySet<string>): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.has(name)))
}

function numberOf({ minimum = -10, maximum = 2 ** 31, type }: JsonSchema): Arbitrary<unknown> {
  const min = Math.max(Math.ceil(minimum), Number.MIN_SAFE_INTEGER)
  const max = Math.min(Math.floor(maximum), Number.MAX_SAFE_INTEGER)
  const edges = fc.constantFrom(min, max, min - 1, max + 1, Math.min(max, min + 1))
  return type === 'number' ? fc.oneof(edges, fc.double({ noNaN: true })) : fc.oneof(edges, fc.integer({ min, max }))
}

/** Empty if none of the known values is a number. */
function numbersNamed(values: readonly unknown[]): readonly Arbitrary<unknown>[] {
  const numbers = values.filter((value) => typeof value === 'number')
  return numbers.length === 0 ? [] : [fc.constantFrom(...numbers)]
}

function textOf({ minLength = 0, maxLength = 100 }: JsonSchema, name: string, known: Known): Arbitrary<unknown> {
  const max = Math.max(minLength, Math.min(maxLength, 200))
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...known(name)) },
    { weight: 1, arbitrary: fc.string({ minLength, maxLength: max }) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: max }) },
  )
}

function jsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}
