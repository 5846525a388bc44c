import { z } from 'zod'
import {
  accountId,
  adminKeyId,
  applicationId,
  archiveId,
  attachmentId,
  backgroundJobId,
  channelId,
  emojiId,
  entryId,
  guildId,
  messageId,
  registrationUrlId,
  reportId,
  roleId,
  stickerId,
  storePurchaseId,
  webhookId,
} from '../../../domain/ids/ids.ts'
import { parseSnowflake, type Snowflake } from '../../../domain/ids/snowflake.ts'
import type { FieldCode } from '../../../domain/kernel/field-codes.ts'
import type { Parsed } from '../../../domain/kernel/parsed.ts'
import { hasLength, normalised, parseName, parseText, type Length } from '../../../domain/text/normalise.ts'
import { wholeInteger } from './whole-integers.ts'

/** Adds an issue with a field code; the error body takes the code from `params`. */
export function issue(context: z.RefinementCtx, code: FieldCode): never {
  context.addIssue({ code: 'custom', message: code, params: { code } })
  return z.NEVER
}

/** An id: a decimal string or a JSON integer. */
export const snowflakeInput = wholeInteger(z.union([z.string(), z.int()]))
  .transform((input, context): Snowflake => {
    const parsed = parseSnowflake(String(input))
    return parsed.ok ? parsed.id : issue(context, parsed.code)
  })
  .meta({ id: 'Snowflake', description: 'A 63-bit id as a decimal string.' })

export const accountIdInput = snowflakeInput.transform(accountId)
export const applicationIdInput = snowflakeInput.transform(applicationId)
export const channelIdInput = snowflakeInput.transform(channelId)
export const guildIdInput = snowflakeInput.transform(guildId)
export const adminKeyIdInput = snowflakeInput.transform(adminKeyId)
export const archiveIdInput = snowflakeInput.transform(archiveId)
export const attachmentIdInput = snowflakeInput.transform(attachmentId)
export const backgroundJobIdInput = snowflakeInput.transform(backgroundJobId)
export const emojiIdInput = snowflakeInput.transform(emojiId)
export const entryIdInput = snowflakeInput.transform(entryId)
export const roleIdInput = snowflakeInput.transform(roleId)
export const messageIdInput = snowflakeInput.transform(messageId)
export const reportIdInput = snowflakeInput.transform(reportId)
export const stickerIdInput = snowflakeInput.transform(stickerId)
export const storePurchaseIdInput = snowflakeInput.transform(storePurchaseId)
export const registrationUrlIdInput = snowflakeInput.transform(registrationUrlId)
export const webhookIdInput = snowflakeInput.transform(webhookId)

/** An optional and nullable member of a body. Null and absence give its default. */
export function withDefault<S extends z.ZodType>(schema: S, value: z.output<S>) {
  return schema.nullish().transform((given): z.output<S> => given ?? value)
}

/** An optional and nullable member of a body. Null counts as absent. */
export function orNull<S extends z.ZodType>(schema: S) {
  return schema.nullish().transform((given): z.output<S> | null => given ?? null)
}

/**
 * Text that the domain parses. If it can't, its code becomes the field's. The documentation shows the length, and so does the
 * refusal of a text of another length.
 */
export function readBy<Value>(read: (text: string) => Parsed<Value>, length: Length) {
  const { min, max } = length
  return z
    .string()
    .meta({ minLength: min, maxLength: max })
    .transform((text, context): Value => {
      const parsed = read(text)
      if (parsed.ok) return parsed.value
      const { code } = parsed
      if (!code.includes('_LENGTH_') || hasLength(normalised(text), length)) return issue(context, code)
      context.addIssue({ code: 'custom', message: code, params: { code, reason: 'wrong_length', min, max } })
      return z.NEVER
    })
}

/** A name, which must not consist of invisible characters alone: STRING_LENGTH_INVALID. */
export function nameInput(length: Length) {
  return readBy((text) => parseName(text, length), length)
}

/** Text of a bounded length: STRING_LENGTH_INVALID outside it. */
export function textInput(length: Length) {
  return readBy((text) => parseText(text, length), length)
}
