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
