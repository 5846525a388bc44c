import { z } from 'zod'

const wholeIntegers = z.registry()

/**
 * A schema of what is a decimal text or an integer of any size (reference identity 2.6). An integer of a body that has more digits
 * than a number keeps comes to it as a text, so that none of its digits is lost.
 */
export function wholeInteger<S extends z.ZodType>(schema: S): S {
  wholeIntegers.add(schema)
  return schema
}

/** Whether a schema, or what it wraps, is one of those. */
export function takesWholeIntegers(schema: z.core.$ZodType): boolean {
  if (wholeIntegers.has(schema)) return true
  // Every schema is one of the library's own kinds; its type does not say so.
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return takesWholeIntegers(def.innerType)
    case 'pipe':
      return takesWholeIntegers(def.in)
    case 'lazy':
      return takesWholeIntegers(def.getter())
    case 'union':
      return def.options.some(takesWholeIntegers)
    default:
      return false
  }
}
