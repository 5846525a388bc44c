import { z } from 'zod'
import { visible } from '../../domain/text/normalise.ts'

/** The most characters of each part of a location. */
const part_characters_max = 80

const named = z
  .object({ names: z.object({ en: z.string().optional() }).optional(), iso_code: z.string().optional() })
  .optional()
  .catch(undefined)

const found = z.object({
  city: named,
  subdivisions: z.array(named).optional().catch(undefined),
  country: named,
  registered_country: named,
})

/** A location in words, the smallest part first: city, region, country. Null if the database knows none of them. */
export function parseLocation(record: unknown): string | null {
  const parsed = found.safeParse(record)
  if (!parsed.success) return null
  const { city, subdivisions = [], country, registered_country: registered } = parsed.data
  const parts = [city, subdivisions[0], country ?? registered].map(nameOf)
  const distinct = parts.filter((part, index) => part !== '' && parts.indexOf(part) === index)
  return distinct.length === 0 ? null : distinct.join(', ')
}

function nameOf(part: z.output<typeof named>): string {
  const name = part?.names?.en ?? part?.iso_code ?? ''
  return visible(name.slice(0, part_characters_max)).trim()
}
