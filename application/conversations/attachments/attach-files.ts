import { contentTypeOf } from '../../../domain/attachments/content-type.ts'
import { attachmentId, type ChannelId } from '../../../domain/ids/ids.ts'
import type { Attachment } from '../../../domain/messages/attachments.ts'
import type { Caller } from '../../caller.ts'
import type { ReceivedFile } from '../../ports/attachments.ts'
import type { Ports } from '../../ports.ts'
import type { DescribedFile } from './pair-files.ts'

/** What a sender may say of a file: 8 spoiler, 16 explicit. */
const sendableFlags = (1 << 3) | (1 << 4)
/** Found by looking at it. */
const animatedFlag = 1 << 5

/** A file that is about to be attached to a message: what the message stores of it, and where it is. */
export interface NewAttachment {
  readonly attachment: Attachment
  readonly file: ReceivedFile
}

/** Gives received files their ids, in their order, and looks at those that are pictures. Nothing is kept yet. */
export async function newAttachments(
  { attachmentFiles }: Pick<Ports, 'attachmentFiles'>,
  caller: Caller,
  described: readonly DescribedFile[],
): Promise<readonly NewAttachment[]> {
  const made: NewAttachment[] = []
  for (const { file, filename, title, description, flags, duration_s, waveform } of described) {
    const contentType = contentTypeOf(filename)
    const isPicture = contentType.startsWith('image/')
    const seen = isPicture ? await attachmentFiles.look(file, caller) : undefined
    const attachment: Attachment = {
      id: attachmentId(caller.context.newId()),
      filename,
      title,
      description,
      contentType,
      contentHash: file.hash,
      size_bytes: file.size_bytes,
      flags: (flags & sendableFlags) | (seen?.animated === true ? animatedFlag : 0),
      ...(seen && { width: seen.width, height: seen.height }),
      ...(seen && seen.placeholder !== null && { placeholder: seen.placeholder }),
      ...(duration_s !== undefined && { duration_s }),
      ...(waveform !== undefined && { waveform }),
    }
    made.push({ attachment, file })
  }
  return made
}

/** Keeps the files, before the message that takes them is written. Rejects with Unavailable if the store can't be reached. */
export async function keepFiles(
  { attachmentFiles }: Pick<Ports, 'attachmentFiles'>,
  channelId: ChannelId,
  made: readonly NewAttachment[],
): Promise<void> {
  for (const { attachment, file } of made) await attachmentFiles.keep({ channelId, id: attachment.id }, file)
}
