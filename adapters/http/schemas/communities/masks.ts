import { z } from 'zod'
import { definedPermissions } from '../../../../domain/permissions/permission-bits.ts'
import { issue } from '../scalars.ts'
import { wholeInteger } from '../whole-integers.ts'
import { unitsInWords } from '../../../../application/wire-objects/units-in-words.ts'

const mask_max = 9_223_372_036_854_775_807n

/**
 * A permission mask of a body: a decimal string up to 9223372036854775807 (INTEGER_OUT_OF_INT64_RANGE beyond), or an
 * integer; INVALID_INTEGER_FORMAT for anything else. Undefined bits are dropped. `writtenMask`
 * (domain/permissions/written-mask.ts) treats the bits that the client does not declare to know.
 */
export const permissionMaskInput = wholeInteger(z.union([z.string(), z.number()]))
  .transform((input, context): bigint => {
    const isInteger = typeof input === 'string' ? /^[0-9]+$/.test(input) : Number.isSafeInteger(input) && input >= 0
    if (!isInteger) return issue(context, 'INVALID_INTEGER_FORMAT')
    const mask = typeof input === 'string' && input.length > 64 ? mask_max + 1n : BigInt(input)
    return mask > mask_max ? issue(context, 'INTEGER_OUT_OF_INT64_RANGE') : mask & definedPermissions
  })
  .meta({ id: 'PermissionMask', description: unitsInWords.givenMask })
