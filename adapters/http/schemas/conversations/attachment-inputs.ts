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

const mediaType = z.string().min(1).max(255)
const fileSize = wholeInteger(
  z
    .union([
      z
        .string()
        .regex(/^[0-9]{1,16}$/)
        .transform(Number),
      z.int().min(0),
    ])
    .pipe(z.int().min(0)),
)

/** The members that describe an upload besides its name. */
const ofUpload = ['filename', 'file_size', 'content_type'] as const

/** What the body of a message says of a file. */
export const attachmentInput = z
  .object({
    id: numberInput.meta({
      description: 'The number of the file in the form; of an edit, also the id of one that stays.',
    }),
    upload_filename: z.string().min(1).max(4096).optional().meta({
      description: 'What the file was uploaded as before the message; then name, size and type are required.',
    }),
    filename: filenameInput.optional(),
    file_size: fileSize.optional(),
    content_type: mediaType.optional(),
    title: z.string().min(1).max(1024).nullish(),
    description: z.string().min(1).max(4096).nullish(),
    flags: withDefault(z.int().min(0), 0).meta({ description: '8 spoiler, 16 explicit.' }),
    duration: orNull(z.int().min(0).max(seconds_max)).meta({ description: 'Seconds; of sound and video.' }),
    waveform: orNull(z.base64().min(1).max(4096)).meta({ description: 'Of a voice message.' }),
  })
  .superRefine((said, context) => {
    if (said.upload_filename === undefined) return
    for (const member of ofUpload)
      if (said[member] === undefined)
        context.addIssue({ code: 'invalid_type', expected: member === 'file_size' ? 'int' : 'string', path: [member] })
  })
  .meta({ id: 'AttachmentInput', description: 'What a message says of a file.' })
  .transform(({ duration, waveform, upload_filename: uploadFilename, ...said }): SentAttachment => ({
    id: said.id,
    flags: said.flags,
    uploadFilename,
    filename: said.filename,
    title: said.title,
    description: said.description,
    duration_s: duration ?? undefined,
    waveform: waveform ?? undefined,
  }))

const uploads_max = 10
const number_max = 2_147_483_647

/** The body of Request attachment uploads. */
export const uploadsToPlan = z
  .object({
    attachments: z
      .array(
        z
          .object({
            id: z.int().min(0).max(number_max).meta({ description: "The client's own number for the file." }),
            filename: filenameInput,
            file_size: fileSize,
            content_type: mediaType,
          })
          .transform(({ id, filename, file_size: size_bytes }) => ({ id, filename, size_bytes })),
      )
      .min(1)
      .max(uploads_max),
  })
  .transform(({ attachments }) => attachments)

/** The body of Complete attachment uploads. */
export const uploadsToComplete = z
  .object({
    uploads: z
      .array(
        z
          .object({ upload_filename: z.string().min(1).max(4096), upload_id: z.string().min(1).max(1024) })
          .transform(({ upload_filename: filename, upload_id: uploadId }) => ({ filename, uploadId })),
      )
      .min(1)
      .max(uploads_max),
  })
  .transform(({ uploads }) => uploads)
