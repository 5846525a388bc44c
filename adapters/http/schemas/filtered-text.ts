import { z } from 'zod'
import { layersOf } from './layers.ts'

const shownToEverybody = z.registry()

/**
 * A text that the content filter reads even where an administrator writes it, who may otherwise write what is on a
 * list.
 */
export function alwaysFiltered<S extends z.ZodType>(text: S): S {
  shownToEverybody.add(text)
  return text
}

/** The members of a body that are such texts. */
export function filteredMembers(body: z.core.$ZodType): readonly string[] {
  return layersOf(body).flatMap(({ _zod: { def } }) =>
    def.type === 'object' ? Object.keys(def.shape).filter((name) => isFiltered(def.shape[name])) : [],
  )
}

function isFiltered(member: z.core.$ZodType | undefined): boolean {
  return member !== undefined && layersOf(member).some((layer) => shownToEverybody.has(layer))
}
