import { z } from 'zod'
import { processNames } from '../application/processes/process-managers.ts'
import { accountId, backgroundJobId, channelId, guildId, messageId, type BackgroundJobId } from '../domain/ids/ids.ts'
import { snowflake } from '../domain/ids/snowflake.ts'

/** The payloads of jobs, as workers read them. */

export const finishStepPayload = z.strictObject({
  process: z.enum(processNames),
  key: z.string(),
  eventId: z.string(),
})

export const eraseAccountPayload = z.strictObject({
  accountId: z
    .string()
    .regex(/^\d+$/)
    .transform((digits) => accountId(snowflake(digits))),
})

const id = z.string().transform((digits) => snowflake(digits))
export const previewPayload = z.strictObject({
  channelId: id.transform(channelId),
  messageId: id.transform(messageId),
  audience: z.strictObject({
    channelId: id.transform(channelId),
    channelType: z.int(),
    guildId: id.transform(guildId).nullable(),
    parentId: id.transform(channelId).nullable(),
    recipients: z.array(id.transform(accountId)).nullable(),
  }),
})

export const copiesPayload = z.strictObject({
  messageId: id.transform(messageId),
})

export const backgroundJobPayload = z.strictObject({
  jobId: z.string().transform((id): BackgroundJobId => backgroundJobId(snowflake(id))),
})
