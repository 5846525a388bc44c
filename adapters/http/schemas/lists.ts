import { z } from 'zod'

/**
 * Lists whose operation refuses a longer list itself, with its own code. `entries_max` entries of such a list are read: one
 * more than the operation accepts.
 */
export const readAtMost = z.registry<{ readonly entries_max: number }>()

/** How many entries an operation accepts of an object whose members have no fixed names. */
export const entriesOfRecord = z.registry<{ readonly entries_max: number }>()

/** A list whose schema does not refuse more than `entries_max` entries: the reader refuses them with another code. */
export function countedLater<S extends z.ZodType>(list: z.ZodArray<S>, entries_max: number): z.ZodArray<S> {
  return list.register(readAtMost, { entries_max: entries_max + 1 })
}
