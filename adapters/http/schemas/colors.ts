import { z } from 'zod'
import { issue } from './scalars.ts'
import { unitsInWords } from '../../../application/wire-objects/units-in-words.ts'

const color_max = 0xff_ff_ff

/** 24 bits of RGB: COLOR_VALUE_TOO_LOW or COLOR_VALUE_TOO_HIGH beyond. */
export const colorInput = z
  .int()
  .meta({ minimum: 0, maximum: color_max, description: unitsInWords.color })
  .transform((given, context) => {
    if (given < 0) return issue(context, 'COLOR_VALUE_TOO_LOW')
    return given > color_max ? issue(context, 'COLOR_VALUE_TOO_HIGH') : given
  })
