import type { z } from 'zod'

const known = new WeakMap<z.core.$ZodType, readonly z.core.$ZodTypes[]>()

/**
 * A schema and all schemas that it wraps, outermost first: those inside optional, nullable, piped and lazy schemas, and each
 * option of a union. The last one of each branch describes the accepted value.
 */
export function layersOf(schema: z.core.$ZodType): readonly z.core.$ZodTypes[] {
  const found = known.get(schema)
  if (found) return found
  // Every schema is one of the library's own kinds, though its type does not say so.
  const own = schema as z.core.$ZodTypes
  const layers = [own, ...wrappedIn(own).flatMap(layersOf)]
  known.set(schema, layers)
  return layers
}

/** The schemas that a schema wraps; none if it describes the value itself. */
export function wrappedIn({ _zod: { def } }: z.core.$ZodTypes): readonly z.core.$ZodType[] {
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return [def.innerType]
    case 'pipe':
      return [def.in]
    case 'lazy':
      return [def.getter()]
    case 'union':
      return def.options
    default:
      return []
  }
}
