import { z } from 'zod'
import { layersOf, wrappedIn } from './layers.ts'

const anything: z.core.$ZodType = z.unknown()

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
