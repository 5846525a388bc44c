import type { z } from 'zod'

const shown = new WeakMap<z.ZodType, z.ZodType>()

/** A body whose form the operation chooses; the API document shows it by another schema, which has all forms. */
export function shownAs<S extends z.ZodType>(body: S, schema: z.ZodType): S {
  shown.set(body, schema)
  return body
}

/** The schema by which the API document shows a schema: most often itself. */
export function shownSchema(schema: z.ZodType): z.ZodType {
  return shown.get(schema) ?? schema
}
