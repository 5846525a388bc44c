import { z } from 'zod'
import { layersOf } from './layers.js'

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
  return layersOf(schema).some((layer) => wholeIntegers.has(layer))
}
