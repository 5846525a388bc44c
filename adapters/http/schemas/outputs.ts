import { z } from 'zod'

/** The scalars of answers. */
export const snowflakeOutput = z
  .string()
  .regex(/^\d{1,19}$/)
  .meta({ id: 'SnowflakeString', description: 'A 63-bit id as a decimal string.' })
export const timestampOutput = z
  .string()
  .meta({ format: 'date-time', description: 'ISO 8601 in UTC with milliseconds.' })
export const maskOutput = z
  .string()
  .regex(/^\d{1,20}$/)
  .meta({ description: 'A permission mask as a decimal string.' })
