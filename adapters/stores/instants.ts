import { z } from 'zod'
import { timestamp } from '../../domain/kernel/timestamp.ts'

/** The end of the year 9999: texts of later instants do not compare as the instants do. */
const instant_ms_max = 253_402_300_799_999

/** Milliseconds since the Unix epoch, as a JSON number. */
export const epochMilliseconds = z.number().min(0).max(instant_ms_max).transform(Math.floor).transform(timestamp)

/** Milliseconds since the Unix epoch, as a number or in decimal digits. */
export const epochDigits = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ])
  .pipe(epochMilliseconds)

/** An instant as RFC 3339 writes it, with up to nine decimals. */
export const writtenInstant = z
  .string()
  .max(64)
  .transform((text) => Date.parse(text))
  .pipe(epochMilliseconds)
