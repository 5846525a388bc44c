import { z } from 'zod'
import { unitsInWords } from './units-in-words.ts'

/** The scalars of answers. */
export const snowflakeOutput = z
  .string()
  .regex(/^\d{1,19}$/)
  .meta({ id: 'SnowflakeString', description: 'A 63-bit id as a decimal string.' })

export const timestampOutput = z.string().meta({ format: 'date-time', description: unitsInWords.timestamp })

export const maskOutput = z
  .string()
  .regex(/^\d{1,20}$/)
  .meta({ description: unitsInWords.mask })

export const nullableText = z.string().nullable()
export const nullableSnowflake = snowflakeOutput.nullable()
export const nullableTimestamp = timestampOutput.nullable()

export const discriminatorOutput = z
  .string()
  .regex(/^\d{4}$/)
  .describe('Four digits, with leading zeros.')
export const imageHashOutput = nullableText.describe(
  'The hash of the image; it begins with a_ if the image moves. Null if there is none.',
)

export const premiumTypeOutput = z
  .int()
  .nullable()
  .describe('0 none, 1 subscription, 2 lifetime; null if there never was any.')

/** The schemas of secrets. */
export const secrets = z.registry<{ readonly isSecret: true }>()

/**
 * A token, key, code, ticket or proof in an answer, which gives its holder some right. No cache may store an answer with such a
 * member (`holdsSecret`). Public values, such as the code of an invite, are not secrets.
 */
export const secretOutput = z.string().register(secrets, { isSecret: true })

/** Features that this service does not have: emojis, stickers. */
export const nothingBuilt = z.array(z.never()).readonly()
