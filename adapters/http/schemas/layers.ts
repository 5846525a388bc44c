import type { z } from 'zod'

const known = new WeakMap<z.core.$ZodType, readonly z.core.$ZodTypes[]>()

/**
 * A schema and all that it wraps, outermost first: what is optional, nullable, piped or put off until it is asked for, and each option
 * of a union. The last of each branch says what is taken.
 */
export function layersOf(schema: z.core.$ZodType): readonly z.core.$ZodTypes[] {
  const found = known.get(schema)
  if (found) return found
  // Every schema is one of the library's own kinds; its type does not say so.
  const own = schema as z.core.$ZodTypes
  const layers = [own, ...wrappedIn(own).flatMap(layersOf)]
  known.set(schema, layers)
  return layers
}

/** What a schema wraps; nothing where it says itself what it takes. */
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
