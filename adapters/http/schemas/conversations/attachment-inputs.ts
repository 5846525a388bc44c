import { z } from 'zod'
import { filenameOf } from '../../../../domain/attachments/filename.ts'
import type { SentAttachment } from '../../../../application/conversations/attachments/sent-attachment.ts'
import { orNull, withDefault } from '../scalars.ts'
import { wholeInteger } from '../whole-integers.ts'

const seconds_max = 2_147_483_647
const digits = /^[0-9]{1,19}$/

/** A number as digits, or as an integer. */
export const numberInput = wholeInteger(z.union([z.string().regex(digits), z.int().min(0).transform(String)]))

export const filenameInput = z
  .string()
  .min(1)
  .max(1024)
  .transform((name) => filenameOf(name))

/** What the body of a message says of a file. */
export const attachmentInput = z
  .object({
    id: numberInput.meta({
      description: 'The number of the file in the form; of an edit, also the id of one that stays.',
    }),
    filename: filenameInput.optional(),
    title: z.string().min(1).max(1024).nullish(),
    description: z.string().min(1).max(4096).nullish(),
    flags: withDefault(z.int().min(0), 0).meta({ description: '8 spoiler, 16 explicit.' }),
    duration: orNull(z.int().min(0).max(seconds_max)).meta({ description: 'Seconds; of sound and video.' }),
    waveform: orNull(z.base64().min(1).max(4096)).meta({ description: 'Of a voice message.' }),
  })
  .meta({ id: 'AttachmentInput', description: 'What a message says of a file.' })
  .transform(({ duration, waveform, ...said }): SentAttachment => ({
    ...said,
    filename: said.filename,
    title: said.title,
    description: said.description,
    duration_s: duration ?? undefined,
    waveform: waveform ?? undefined,
  }))
