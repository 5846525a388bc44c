import { z } from 'zod'
import { isStorable } from '../../../../domain/text/normalise.js'

type Path = readonly PropertyKey[]

const anything: z.core.$ZodType = z.unknown()

/**
 * The places of texts that a schema keeps and the database can't: with a NUL or half a surrogate pair. Names of members that
 * the schema keeps count too. What the schema drops is nobody's concern. `input` is no deeper than `depth_max` of JSON.
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

/** The schema of a member of what a schema describes; undefined where it drops the member. */
export function memberSchema(schema: z.core.$ZodType, name: string): z.core.$ZodType | undefined {
  // Every schema is one of the library's own kinds; its type does not say so.
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return Object.hasOwn(def.shape, name) ? def.shape[name] : def.catchall
    case 'array':
      return def.element
    case 'record':
    case 'map':
      return def.valueType
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return memberSchema(def.innerType, name)
    case 'pipe':
      return memberSchema(def.in, name)
    case 'lazy':
      return memberSchema(def.getter(), name)
    case 'union':
      return def.options.map((option) => memberSchema(option, name)).find((kept) => kept !== undefined)
    default:
      return anything
  }
}
