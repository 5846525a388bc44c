import { instanceConfigPatch } from '../adapters/http/schemas/instance-config.js'
import type { PolicyChanges } from '../domain/instance/policy.js'

/** Reads changes of the instance's configuration, in the members of the Admin API. Throws an Error that names each wrong path. */
export function parseInstanceConfig(patch: unknown): PolicyChanges {
  const parsed = instanceConfigPatch.safeParse(patch)
  if (!parsed.success)
    throw new Error(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
  const unknown = unknownIn(patch, instanceConfigPatch.in)
  if (unknown.length > 0) throw new Error(unknown.map((path) => `${path}: is not known`).join('; '))
  return parsed.data
}

/** Paths of members that a schema does not have: an operator's slip of the pen, which the API would pass over. */
function unknownIn(value: unknown, schema: unknown, path: readonly string[] = []): readonly string[] {
  const shape = shapeOf(schema)
  if (shape === undefined || typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    Object.hasOwn(shape, name)
      ? unknownIn(member, Reflect.get(shape, name), [...path, name])
      : [[...path, name].join('.')],
  )
}

/** The members of an object's schema, seen through `optional`; undefined of any other schema. */
function shapeOf(schema: unknown): object | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined
  if ('shape' in schema && typeof schema.shape === 'object' && schema.shape !== null) return schema.shape
  return 'unwrap' in schema && typeof schema.unwrap === 'function' ? shapeOf(schema.unwrap()) : undefined
}
