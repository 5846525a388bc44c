import { contentTypeOf } from '../../../domain/attachments/content-type.ts'
import { attachmentId, type ChannelId } from '../../../domain/ids/ids.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import type { Attachment } from '../../../domain/messages/attachments.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { requireUnlistedFiles } from '../../content-rules/require-unlisted-file.ts'
import type { Ports } from '../../ports.ts'
import { notUploaded, type DescribedFile, type SpendableUpload } from './pair-files.ts'
import { uploadHolder } from './upload-holder.ts'

/** What a sender may say of a file: 8 spoiler, 16 explicit. */
const sendableFlags = (1 << 3) | (1 << 4)
/** Found by looking at it. */
const animatedFlag = 1 << 5

/** A file that is about to be attached to a message: what the message stores of it, and where it is. */
export interface NewAttachment {
  readonly attachment: Attachment
  readonly source: DescribedFile['source']
}

/**
 * Gives received files their ids, in their order, and looks at those that are pictures. Those that were uploaded before were looked at
 * then, and have ids. Nothing is kept yet.
 */
export async function newAttachments(
  { attachmentFiles }: Pick<Ports, 'attachmentFiles'>,
  caller: Caller,
  described: readonly DescribedFile[],
): Promise<readonly NewAttachment[]> {
  const made: NewAttachment[] = []
  for (const { source, filename, title, description, flags, duration_s, waveform } of described) {
    const contentType = contentTypeOf(filename)
    const isPicture = contentType.startsWith('image/')
    const looked = isUpload(source) ? source.file.seen : isPicture && (await attachmentFiles.look(source, caller))
    const seen = isPicture && looked ? looked : undefined
    const { hash, size_bytes } = isUpload(source) ? source.file : source
    const attachment: Attachment = {
      id: isUpload(source) ? source.file.id : attachmentId(caller.context.newId()),
      filename,
      title,
      description,
      contentType,
      contentHash: hash,
      size_bytes,
      flags: (flags & sendableFlags) | (seen?.animated === true ? animatedFlag : 0),
      ...(seen && { width: seen.width, height: seen.height }),
      ...(seen && seen.placeholder !== null && { placeholder: seen.placeholder }),
      ...(duration_s !== undefined && { duration_s }),
      ...(waveform !== undefined && { waveform }),
    }
    made.push({ attachment, source })
  }
  return made
}

/**
 * Compares the files with the list file-sha and has the received ones scanned, before anything of their message exists. Refuses with
 * 403 CONTENT_BLOCKED, then with field code INFECTED_FILE at the place of the file among those that came with the request. Those that were uploaded before were scanned then. Rejects with Unavailable if the
 * scanner does not answer.
 */
export async function requireClean(
  ports: Pick<Ports, 'attachmentFiles' | 'blocklistBox' | 'queries'>,
  made: readonly NewAttachment[],
): Promise<void> {
  await requireUnlistedFiles(
    ports,
    made.map(({ attachment }) => attachment),
  )
  for (const [place, { source }] of made.entries())
    if (!isUpload(source) && (await ports.attachmentFiles.scan(source)) === 'infected')
      reject('INVALID_FORM_BODY', field(`attachments.${place}`, 'INFECTED_FILE'))
}

function isUpload(source: DescribedFile['source']): source is SpendableUpload {
  return 'file' in source
}

/**
 * Keeps the files, before the message that takes them is written, and spends those that were uploaded before. Refuses with field code
 * UPLOADED_ATTACHMENT_NOT_FOUND for one that another message has spent meanwhile. Rejects with Unavailable if the store can't be reached.
 */
export async function keepFiles(
  { attachmentFiles, uploads }: Pick<Ports, 'attachmentFiles' | 'uploads'>,
  caller: Caller,
  channelId: ChannelId,
  made: readonly NewAttachment[],
): Promise<void> {
  const spent = made.flatMap(({ source }) => (isUpload(source) ? [source] : []))
  if (spent.length > 0) {
    const { commandId } = caller.context
    if (!(await uploads.spend(spent, uploadHolder(caller, channelId), commandId))) {
      await uploads.giveBack(commandId)
      notUploaded('attachments.0')
    }
  }
  for (const { attachment, source } of made)
    if (!isUpload(source)) await attachmentFiles.keep({ channelId, id: attachment.id }, source)
}
