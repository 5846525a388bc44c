import { z } from 'zod'
import { issue, orNull, textInput, withDefault } from '../scalars.ts'
import { snowflakeOutput, timestampOutput } from '../../../../application/wire-objects/scalars.ts'
import { partialUserSchema } from '../../../../application/wire-objects/identity/user-objects.ts'

const deletedSeconds_max = 604_800
const deletedDays_max = 7
const shortestBan_seconds = 60
const longestBan_seconds = 63_072_000

/** Seconds: 0 means forever; otherwise 60-63072000. */
const duration = z
  .int()
  .min(0)
  .max(longestBan_seconds)
  .transform((seconds, context) =>
    seconds > 0 && seconds < shortestBan_seconds ? issue(context, 'INVALID_FORMAT') : seconds,
  )

/** The body of Create guild ban. */
export const banWishes = z
  .object({
    delete_message_seconds: orNull(z.int().min(0).max(deletedSeconds_max)),
    delete_message_days: orNull(z.int().min(0).max(deletedDays_max)),
    reason: orNull(textInput({ min: 0, max: 512 })),
    ban_duration_seconds: withDefault(duration, 0),
  })
  .transform((body) => ({
    deleteMessageSeconds: body.delete_message_seconds,
    deleteMessageDays: body.delete_message_days,
    reason: body.reason === '' ? null : body.reason,
    duration: body.ban_duration_seconds,
  }))

/** A ban in force. The address and network that it matches are never shown. */
export const ban = z
  .object({
    user: partialUserSchema,
    reason: z.string().nullable(),
    moderator_id: snowflakeOutput,
    banned_at: timestampOutput,
    expires_at: timestampOutput.nullable().describe('Null for never.'),
  })
  .meta({ id: 'GuildBan' })
