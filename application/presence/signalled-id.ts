import { z } from 'zod'
import { parseSnowflake, type Snowflake } from '../../domain/ids/snowflake.ts'

/** An id in a signal, which comes from another process. */
export const signalledId = z.string().transform((text, context): Snowflake => {
  const parsed = parseSnowflake(text)
  if (parsed.ok) return parsed.id
  context.addIssue({ code: 'custom', message: parsed.code })
  return z.NEVER
})
