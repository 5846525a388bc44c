import { z } from 'zod'
import { flags_max } from '../../../../domain/account/flags.ts'
import { parseDateOfBirth } from '../../../../domain/account/names.ts'
import { premiumFlags_max } from '../../../../domain/premium/premium-flags.ts'
import { issue, readBy, textInput, withDefault } from '../scalars.ts'

const flagsPerChange_max = 64
const traits_max = 100

/** One flag or several, as an unsigned decimal text: INVALID_INTEGER_FORMAT, INTEGER_OUT_OF_INT64_RANGE beyond 64 bits. */
const flagWord = z
  .string()
  .meta({ description: 'An unsigned 64-bit integer as a decimal string.' })
  .transform((text, context): string => {
    if (!/^[0-9]{1,20}$/.test(text)) return issue(context, 'INVALID_INTEGER_FORMAT')
    const word = BigInt(text)
    return word > flags_max ? issue(context, 'INTEGER_OUT_OF_INT64_RANGE') : word.toString()
  })

export const flagWords = withDefault(z.array(flagWord).max(flagsPerChange_max), [])
const premiumWords = withDefault(z.array(z.int().min(0).max(premiumFlags_max)).max(flagsPerChange_max), [])

/** The body of Update user flags. A flag that is in both lists ends removed. */
export const flagChanges = z.object({ add_flags: flagWords, remove_flags: flagWords })

/** The same for premium flags. */
export const premiumFlagChanges = z.object({ add_flags: premiumWords, remove_flags: premiumWords })

export const traitsBody = z.object({ traits: z.array(textInput({ min: 1, max: 128 })).max(traits_max) })

export const systemStatus = z.object({ system: z.boolean() })

export const botStatus = z.object({ bot: z.boolean() })

/** Refuses with the codes of `parseDateOfBirth`. */
export const dateOfBirthBody = z.object({ date_of_birth: readBy(parseDateOfBirth, { min: 10, max: 10 }) })
