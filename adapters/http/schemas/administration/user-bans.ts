import { z } from 'zod'
import { banHours_max } from '../../../../domain/account/ban.ts'
import { orNull, textInput, withDefault } from '../scalars.ts'

/** What an administrator writes for the holder. */
const publicReason = orNull(textInput({ min: 0, max: 512 }))
const notifiesHolder = withDefault(z.boolean(), true)

export const userBan = z.object({
  duration_hours: z.int().min(0).max(banHours_max),
  reason: publicReason,
  notify_user: notifiesHolder,
})

export const userBanLift = z.object({ notify_user: notifiesHolder, public_reason: publicReason })
