import { z } from 'zod'
import { layersOf } from './layers.ts'

const wholeIntegers = z.registry()

/**
 * A schema for a decimal text or an integer of any size. An integer in a body with more digits than a number can hold
 * reaches the schema as a text, so that no digit is lost.
 */
export function wholeInteger<S extends z.ZodType>(schema: S): S {
  wholeIntegers.add(schema)
  return schema
}

/** Whether a schema, or one that it wraps, is such a schema. */
export function takesWholeIntegers(schema: z.core.$ZodType): boolean {
  return layersOf(schema).some((layer) => wholeIntegers.has(layer))
}
