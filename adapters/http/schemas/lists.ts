import { z } from 'zod'

/**
 * Lists whose operation refuses a longer one itself, with a code of its own. Of such a list `entries_max` entries are read: one
 * more than the operation takes.
 */
export const readAtMost = z.registry<{ readonly entries_max: number }>()

/** A list that is refused beyond `entries_max` entries, not by its schema but with another code by who reads it. */
export function countedLater<S extends z.ZodType>(list: z.ZodArray<S>, entries_max: number): z.ZodArray<S> {
  return list.register(readAtMost, { entries_max: entries_max + 1 })
}
