import { z } from 'zod'
import { timestamp, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import { issue } from './scalars.ts'
import { unitsInWords } from '../../../application/wire-objects/units-in-words.ts'

const isoTimestamp = /^(?<day>\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?<offset>Z|[+-]\d{2}:\d{2})?$/
const unix_ms_max = 8_640_000_000_000_000

/** An instant as ISO 8601, in UTC if it has no offset: otherwise INVALID_ISO_TIMESTAMP. */
export const timestampInput = z
  .string()
  .meta({ description: unitsInWords.givenTimestamp })
  .transform((text, context) => instantOf(text) ?? notAnInstant(context))

/** The same, or milliseconds since the Unix epoch, for fields that allow it. */
export const timestampOrMsInput = z
  .union([z.string(), z.number()])
  .meta({ description: unitsInWords.givenTimestampOrMs })
  .transform((given, context) => {
    if (typeof given === 'string') return instantOf(given) ?? notAnInstant(context)
    const isInstant = Number.isInteger(given) && given >= 0 && given <= unix_ms_max
    return isInstant ? timestamp(given) : notAnInstant(context)
  })

/** Adds RANGE_ENDS_BEFORE_START where the end of a range is before its start. */
export function refuseBackwardsRange(
  { since, until }: { readonly since?: Timestamp | undefined; readonly until?: Timestamp | undefined },
  context: z.RefinementCtx,
): void {
  if (since !== undefined && until !== undefined && until < since) issue(context, 'RANGE_ENDS_BEFORE_START')
}

const notAnInstant = (context: z.RefinementCtx): never => issue(context, 'INVALID_ISO_TIMESTAMP')

/** The instant that a text names; undefined for a day that does not exist in its month. */
function instantOf(text: string): Timestamp | undefined {
  const { day, offset } = isoTimestamp.exec(text)?.groups ?? {}
  if (day === undefined) return undefined
  const midnight_ms = Date.parse(`${day}T00:00:00Z`)
  const ms = Date.parse(offset === undefined ? `${text}Z` : text)
  const isReal = !Number.isNaN(midnight_ms) && timestamp(midnight_ms).startsWith(day)
  return isReal && !Number.isNaN(ms) ? timestamp(ms) : undefined
}
