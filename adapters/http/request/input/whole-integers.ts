import type { z } from 'zod'
import { takesWholeIntegers } from '../../schemas/whole-integers.ts'
import { memberSchema } from '../../schemas/member-schema.ts'

/**
 * A body with integers as texts where its schema accepts either, so that they keep their digits; all other numbers stay
 * numbers. `numbers` is the parsed body, `texts` the same body with each long integer as a text.
 */
export function withWholeIntegers(schema: z.core.$ZodType, numbers: unknown, texts: unknown): unknown {
  if (typeof numbers === 'number') return takesWholeIntegers(schema) ? texts : numbers
  if (!isContainer(numbers) || !isContainer(texts)) return numbers
  const members = Object.entries(numbers).map(([name, value]) => {
    const kept = memberSchema(schema, name)
    return [name, kept ? withWholeIntegers(kept, value, texts[name]) : value] as const
  })
  return Array.isArray(numbers) ? members.map(([, value]) => value) : Object.fromEntries(members)
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
