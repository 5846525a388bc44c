import { z } from 'zod'
import { registrationUrlLimits } from '../../../../../domain/registration-url/state.ts'
import { orNull, textInput, withDefault } from '../../scalars.ts'
import { timestampInput } from '../../timestamps.ts'
import { secretOutput } from '../../../../../application/wire-objects/scalars.ts'
import { registrationUrlSchema } from '../../../../../application/wire-objects/administration/registration-objects.ts'

const { label, maxUses } = registrationUrlLimits

/** The settings of a registration URL. The body may be absent: nothing in it is required. */
export const registrationUrlWishes = z
  .object({
    label: orNull(textInput(label)),
    expires_at: orNull(timestampInput),
    max_uses: orNull(z.int().min(maxUses.min).max(maxUses.max)),
    approval_required: withDefault(z.boolean(), false),
  })
  .prefault({})
  .transform((body) => ({
    label: body.label,
    expiresAt: body.expires_at,
    maxUses: body.max_uses,
    approvalRequired: body.approval_required,
  }))

/** The only answer that holds the code, which is also in `url`. */
export const newRegistrationUrl = z.object({
  registration_url: registrationUrlSchema,
  code: secretOutput,
  url: secretOutput,
})

export const registrationDecision = z.object({ status: z.enum(['approved', 'rejected']) })
