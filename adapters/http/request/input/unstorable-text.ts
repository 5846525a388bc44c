import type { z } from 'zod'
import { isStorable } from '../../../../domain/text/normalise.ts'
import { memberSchema } from '../../schemas/member-schema.ts'

type Path = readonly PropertyKey[]

/**
 * The paths of texts that a schema keeps but the database can't store: those with a NUL or half a surrogate pair. Names of
 * members that the schema keeps count too; dropped parts are skipped. `input` is no deeper than `depth_max` of JSON.
 */
export function unstorableTexts(schema: z.core.$ZodType, input: unknown, path: Path = []): readonly Path[] {
  if (typeof input === 'string') return isStorable(input) ? [] : [path]
  if (typeof input !== 'object' || input === null) return []
  return Object.entries(input).flatMap(([name, value]) => {
    const kept = memberSchema(schema, name)
    if (!kept) return []
    const here = [...path, name]
    return isStorable(name) ? unstorableTexts(kept, value, here) : [here]
  })
}
