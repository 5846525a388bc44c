import { z } from 'zod'
import { isStorable } from '../../../../domain/text/normalise.ts'
import { layersOf, wrappedIn } from '../../schemas/layers.ts'

type Path = readonly PropertyKey[]

const anything: z.core.$ZodType = z.unknown()

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

/** The schema of a member; undefined if the schema drops the member. */
export function memberSchema(schema: z.core.$ZodType, name: string): z.core.$ZodType | undefined {
  for (const layer of layersOf(schema)) {
    const member = wrappedIn(layer).length === 0 ? ownMember(layer, name) : undefined
    if (member) return member
  }
  return undefined
}

function ownMember({ _zod: { def } }: z.core.$ZodTypes, name: string): z.core.$ZodType | undefined {
  switch (def.type) {
    case 'object':
      return Object.hasOwn(def.shape, name) ? def.shape[name] : def.catchall
    case 'array':
      return def.element
    case 'record':
    case 'map':
      return def.valueType
    default:
      return anything
  }
}
