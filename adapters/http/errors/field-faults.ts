import { z } from 'zod'
import type { Bounds, FieldFault } from '../../../domain/kernel/refusal.ts'
import { layersOf } from '../schemas/layers.ts'
import { memberSchema } from '../schemas/member-schema.ts'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/** Longer lists of values are in the API document. */
const values_max = 50
const ofNumbers: ReadonlySet<string> = new Set(['number', 'int'])
const ofLengths: ReadonlySet<string> = new Set(['string', 'array'])

/** A value, and the schema that found something wrong with it. */
export interface Parsed {
  readonly schema: z.core.$ZodType
  readonly value: unknown
}

/** What a schema that checks by its own code says of a value: the reason stands in its finding. */
const ofItsOwn = z.discriminatedUnion('reason', [
  z.object({ reason: z.literal('not_supported') }),
  z.object({ reason: z.literal('wrong_length'), min: z.int(), max: z.int() }),
])

/** What a schema's finding says of the value at a path; undefined if no more than its code does. */
export function faultOf(issue: Issue, parsed: Parsed, path: Path): FieldFault | undefined {
  if (isMissing(parsed.value, path)) return { reason: 'missing' }
  switch (issue.code) {
    case 'custom':
      return ofItsOwn.safeParse(issue.params).data
    case 'invalid_type':
      return { reason: 'wrong_type', expected: [jsonType(issue.expected)] }
    case 'invalid_union':
      return unionFault(issue.errors)
    case 'invalid_value':
      return valuesFault(issue.values)
    case 'too_big':
      return boundFault(issue.origin, 'max', issue.maximum, schemaAt(parsed.schema, path))
    case 'too_small':
      return boundFault(issue.origin, 'min', issue.minimum, schemaAt(parsed.schema, path))
    default:
      return undefined
  }
}

/** The types of all alternatives, where the value has none of them. */
function unionFault(alternatives: readonly (readonly Issue[])[]): FieldFault | undefined {
  const types = alternatives.map((issues) =>
    issues.flatMap((issue) => (issue.code === 'invalid_type' && issue.path.length === 0 ? [issue.expected] : [])),
  )
  if (types.length === 0 || types.some(({ length }) => length === 0)) return undefined
  return { reason: 'wrong_type', expected: [...new Set(types.flat().map(jsonType))] }
}

function valuesFault(values: readonly unknown[]): FieldFault | undefined {
  const plain = values.flatMap((value) =>
    value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [value]
      : [],
  )
  return plain.length > values_max ? undefined : { reason: 'not_one_of', values: plain }
}

/** Both bounds of a value: a finding names only the one that was crossed, so the other is read from the schema. */
function boundFault(
  origin: string,
  side: keyof Bounds,
  crossed: number | bigint,
  schema: z.core.$ZodType | undefined,
): FieldFault | undefined {
  const reason = ofNumbers.has(origin) ? 'out_of_range' : ofLengths.has(origin) ? 'wrong_length' : undefined
  if (reason === undefined) return undefined
  const declared = (schema ? layersOf(schema) : []).map(boundsOf).find((bounds) => bounds[side] === crossed)
  return { reason, ...(declared ?? { [side]: Number(crossed) }) }
}

/**
 * The fault of a list that is longer than the schema at its path allows. It is reported before the entries are looked
 * at.
 */
export function overlongFault(schema: z.core.$ZodType, path: Path): FieldFault {
  const layers = layersOf(schemaAt(schema, path) ?? schema)
  return { reason: 'wrong_length', ...layers.map(boundsOf).find(({ max }) => max !== undefined) }
}

/** The bounds that one schema declares for its value. */
function boundsOf(schema: z.core.$ZodType): Bounds {
  const checks = (schema._zod.def.checks ?? []).map(({ _zod: { def } }): object => def)
  return Object.assign({}, ...checks.map(boundsOfCheck)) as Bounds
}

function boundsOfCheck(check: object): Bounds {
  const { check: kind, value, minimum, maximum, length } = check as Readonly<Record<string, unknown>>
  if (kind === 'greater_than' && typeof value === 'number') return { min: value }
  if (kind === 'less_than' && typeof value === 'number') return { max: value }
  if (kind === 'min_length' && typeof minimum === 'number') return { min: minimum }
  if (kind === 'max_length' && typeof maximum === 'number') return { max: maximum }
  return kind === 'length_equals' && typeof length === 'number' ? { min: length, max: length } : {}
}

function schemaAt(schema: z.core.$ZodType, path: Path): z.core.$ZodType | undefined {
  return path.reduce<z.core.$ZodType | undefined>((found, key) => found && memberSchema(found, String(key)), schema)
}

/** Schemas have finer types than JSON Schema. */
function jsonType(expected: string): string {
  if (expected === 'int') return 'integer'
  return expected === 'record' || expected === 'map' ? 'object' : expected
}

/** A text that stands for a list of one has no members, and misses none. */
function isMissing(value: unknown, path: Path): boolean {
  let found = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null) return found === undefined
    found = Object.hasOwn(found, key) ? Reflect.get(found, key) : undefined
  }
  return found === undefined
}
