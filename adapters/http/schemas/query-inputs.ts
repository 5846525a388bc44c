import { z } from 'zod'
import { issue } from './scalars.ts'

/**
 * Parameters of a query string. A repeated name arrives as an array: only `repeated` accepts it, and every other
 * parameter is refused with its path. Each parameter is optional; the documentation shows the type that clients mean.
 */

/** True only for `true`, `True` and `1`, trimmed. Everything else, and absence, is false. */
export const queryBoolean = z
  .unknown()
  .optional()
  .transform((given) => typeof given === 'string' && ['true', 'True', '1'].includes(given.trim()))
  .meta({ type: 'boolean' })

/** False only for `false`, `False` and `0`, trimmed. Everything else, and absence, is true. */
export const queryTrueByDefault = z
  .unknown()
  .optional()
  .transform((given) => !(typeof given === 'string' && ['false', 'False', '0'].includes(given.trim())))
  .meta({ type: 'boolean', default: true })

/** True only for `true`, `True` and `1`, trimmed, and where it is absent. Everything else is false. */
export const queryTrueUnlessGiven = z
  .unknown()
  .optional()
  .transform(
    (given) => given === undefined || (typeof given === 'string' && ['true', 'True', '1'].includes(given.trim())),
  )
  .meta({ type: 'boolean', default: true })

export interface IntegerBounds {
  readonly min: number
  readonly max: number
}

/**
 * A whole number in base 10, trimmed; `absent` if it is not given. VALUE_MUST_BE_INTEGER_IN_RANGE for anything else, and
 * outside its bounds.
 */
export function queryInteger<Absent extends number | undefined>({ min, max }: IntegerBounds, absent: Absent) {
  return z
    .unknown()
    .optional()
    .transform((given, context): number | Absent => {
      if (given === undefined) return absent
      const number = typeof given === 'string' && /^\s*[+-]?\d+\s*$/.test(given) ? Number(given) : Number.NaN
      return number >= min && number <= max ? number : issue(context, 'VALUE_MUST_BE_INTEGER_IN_RANGE')
    })
    .meta({ type: 'integer', minimum: min, maximum: max })
}

/** The parameters whose names may be repeated. */
export const repeatable = z.registry<Record<never, never>>()

/** A parameter whose name may be repeated, at most `values_max` times. One occurrence gives one element, none an empty list. */
export function repeated<Value extends z.ZodType>(value: Value, values_max: number) {
  return z
    .unknown()
    .optional()
    .transform((given) => (given === undefined ? [] : Array.isArray(given) ? given : [given]))
    .pipe(z.array(value).max(values_max))
    .meta({ type: 'array', items: { type: 'string' }, maxItems: values_max })
    .register(repeatable, {})
}
