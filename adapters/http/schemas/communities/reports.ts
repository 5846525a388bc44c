import { z } from 'zod'
import { reportCategories, type ReportKind } from '../../../../domain/report/categories.ts'
import { inviteCodeLength, parseInviteCode } from '../../../../domain/text/normalise.ts'
import { accountIdInput, channelIdInput, guildIdInput, messageIdInput, orNull, readBy, textInput } from '../scalars.ts'
import { snowflakeOutput, timestampOutput } from '../../../../application/wire-objects/scalars.ts'

/** The category of a report and the reporter's own words. */
function reasonsFor<Kind extends ReportKind>(kind: Kind) {
  return { category: z.enum(reportCategories[kind]), additional_info: orNull(textInput({ min: 0, max: 1000 })) }
}

export const messageReport = z.object({
  channel_id: channelIdInput,
  message_id: messageIdInput,
  ...reasonsFor('message'),
})

export const userReport = z.object({ user_id: accountIdInput, guild_id: orNull(guildIdInput), ...reasonsFor('user') })

export const guildReport = z.object({
  guild_id: guildIdInput,
  invite_code: orNull(readBy(parseInviteCode, inviteCodeLength)),
  ...reasonsFor('guild'),
})

export const filedReport = z
  .object({ report_id: snowflakeOutput, status: z.literal('pending'), reported_at: timestampOutput })
  .meta({ id: 'FiledReport' })
