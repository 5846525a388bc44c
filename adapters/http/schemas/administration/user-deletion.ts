import { z } from 'zod'
import { deletionReasons } from '../../../../domain/account/deletion-reasons.ts'
import { timestampInput } from '../timestamps.ts'
import { orNull, textInput, withDefault } from '../scalars.ts'

export const days = { min: 1, max: 365, default: 60 } as const
export const publicReason = { min: 0, max: 512 } as const

/** The registry has no gaps. */
const codes = Object.values(deletionReasons)
export const reasonCode = z
  .int()
  .min(Math.min(...codes))
  .max(Math.max(...codes))
  .meta({ description: 'A code of the deletion reason registry.' })

/** The body of Schedule user deletion. `expected_pending_deletion_at` names the deletion that this one replaces. */
export const deletionSchedule = z.object({
  reason_code: reasonCode,
  days: withDefault(z.int().min(days.min).max(days.max), days.default),
  public_reason: orNull(textInput(publicReason)),
  notify_user: withDefault(z.boolean(), true),
  expected_pending_deletion_at: orNull(timestampInput),
})

/** The body of Cancel user deletion, which names the pending one. */
export const deletionCancellation = z.object({
  expected_pending_deletion_at: timestampInput,
  notify_user: withDefault(z.boolean(), false),
})
