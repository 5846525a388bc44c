import type { z } from 'zod'

/** The schema of a reply that may also be nothing at all. */
export type OrNothing<S extends z.ZodType = z.ZodType> = z.ZodOptional<S> & { readonly orNothing: true }

/** Declares that a reply is of this schema, with 200, or nothing, with 204. */
export function orNothing<S extends z.ZodType>(schema: S): OrNothing<S> {
  return Object.assign(schema.optional(), { orNothing: true } as const)
}
