import { z } from 'zod'
import type { ChannelId } from '../../../domain/ids/ids.ts'
import type { Attachment } from '../../../domain/messages/attachments.ts'
import type { AttachmentName } from '../../ports/attachments.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'
import { snowflakeOutput, timestampOutput } from '../scalars.ts'

/** Gives the address of a file now. */
export type FileAddress = (name: AttachmentName) => string

export const attachmentSchema = wireObject('Attachment', {
  id: snowflakeOutput,
  filename: z.string().describe('The name under which it is served.'),
  title: z.string().nullable(),
  description: z.string().nullable().describe('What it shows, for those who do not see it.'),
  content_type: z.string().describe('By its name.'),
  content_hash: z.string().nullable().describe('SHA-256 in hexadecimal.'),
  size: z.int().describe('Bytes.'),
  url: z.string().nullable().describe('Where it is, for half a day at least.'),
  proxy_url: z.string().nullable().describe('The same address.'),
  flags: z.int().describe('8 spoiler, 16 explicit, 32 animated.'),
  width: z.int().optional().describe('Pixels; of pictures.'),
  height: z.int().optional().describe('Pixels; of pictures.'),
  placeholder: z.string().optional().describe('A ThumbHash in base64; of pictures.'),
  duration: z.int().optional().describe('Seconds; of sound and video.'),
  waveform: z.string().optional().describe('Of a voice message, in base64.'),
  expires_at: timestampOutput.nullable().describe('When it is no longer served; null for never.'),
})

export type AttachmentObject = ObjectOf<typeof attachmentSchema>

/** A file of a message in a channel, as clients see it. `address`: null for a file that is gone. */
export function attachmentObject(
  attachment: Attachment,
  channelId: ChannelId,
  address: (name: AttachmentName) => string | null,
): AttachmentObject {
  const { id, filename, title, description, contentType, contentHash, size_bytes, flags } = attachment
  const { width, height, placeholder, duration_s, waveform, expiresAt } = attachment
  const url = address({ channelId, id, filename })
  return objectOf(attachmentSchema, {
    id,
    filename,
    title,
    description,
    content_type: contentType,
    content_hash: contentHash,
    size: size_bytes,
    url,
    proxy_url: url,
    flags,
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(duration_s === undefined ? {} : { duration: duration_s }),
    ...(waveform === undefined ? {} : { waveform }),
    expires_at: expiresAt ?? null,
  })
}
