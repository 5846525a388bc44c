import { z } from 'zod'
import { wireObject, type ObjectOf } from '../declaration.ts'

const about = {
  id: z.int().describe('As the request numbers the file.'),
  filename: z.string().describe('The name under which it will be served, unless the message gives another one.'),
  upload_filename: z.string().describe('What the message names it by.'),
  file_size: z.int().describe('Bytes.'),
  content_type: z.string().describe('By its name.'),
}

/** A file that is uploaded in one piece. */
export const singleUploadSchema = wireObject('SingleUpload', {
  ...about,
  upload_mode: z.literal('singlepart'),
  upload_url: z.string().describe('Takes all of it by one PUT, for 15 minutes.'),
})

/** A file that is uploaded in parts. */
export const uploadInPartsSchema = wireObject('UploadInParts', {
  ...about,
  upload_mode: z.literal('multipart'),
  upload_id: z.string().describe('To complete it with.'),
  part_size: z.int().describe('Bytes of each part but the last.'),
  parts: z
    .array(
      z.object({
        part_number: z.int().describe('From 1.'),
        upload_url: z.string().describe('Takes this part by one PUT, for 15 minutes.'),
      }),
    )
    .readonly(),
})

export type UploadPlan = ObjectOf<typeof singleUploadSchema> | ObjectOf<typeof uploadInPartsSchema>
