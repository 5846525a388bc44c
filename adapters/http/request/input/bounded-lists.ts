import type { z } from 'zod'
import { readAtMost } from '../../schemas/lists.ts'
import { layersOf } from '../../schemas/layers.ts'
import { memberSchema } from '../../schemas/member-schema.ts'

type Path = readonly PropertyKey[]

/**
 * Checks the lists of an input against the bounds of their schemas before any entry is parsed, so that parsing takes no longer
 * than a permitted input would. Returns the paths of lists that are too long, and shortens the lists themselves that are read up
 * to a bound only. Walks once through the parts of the input that the schema knows, which are no deeper than `depth_max` of
 * JSON.
 */
export function overlongLists(schema: z.core.$ZodType, input: unknown, path: Path = []): readonly Path[] {
  if (typeof input !== 'object' || input === null) return []
  if (Array.isArray(input)) {
    const list = listSchema(schema)
    if (list && input.length > entriesMax(list)) return [path]
    const cut = list && readAtMost.get(list)
    if (cut) input.splice(cut.entries_max)
  }
  return Object.entries(input).flatMap(([name, value]) => {
    const kept = isContainer(value) ? memberSchema(schema, name) : undefined
    return kept ? overlongLists(kept, value, [...path, name]) : []
  })
}

/** No other value can hold a list. */
function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** The most entries of a list by its schema; Infinity without a bound. */
export function entriesMax(list: z.core.$ZodArray): number {
  const bounds = (list._zod.def.checks ?? []).map((check) => check._zod.def)
  return Math.min(...bounds.map((bound) => ('maximum' in bound ? Number(bound.maximum) : Infinity)))
}

/** The list schema inside a schema; undefined if it accepts no list. */
export function listSchema(schema: z.core.$ZodType): z.core.$ZodArray | undefined {
  return layersOf(schema).find((layer) => layer._zod.def.type === 'array') as z.core.$ZodArray | undefined
}
