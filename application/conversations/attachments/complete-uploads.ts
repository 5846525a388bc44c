import { attachmentId, type AttachmentId, type ChannelId } from '../../../domain/ids/ids.ts'
import { parseSnowflake } from '../../../domain/ids/snowflake.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { fileBounds } from '../../access/file-bounds.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { FoundUpload } from '../../ports/uploads.ts'
import type { Ports } from '../../ports.ts'
import { finishUpload } from './finish-upload.ts'
import { isHeldBy, uploadHolder } from './upload-holder.ts'

/** An upload whose parts are all there, as its plan names it. */
export interface CompletedUpload {
  readonly filename: string
  readonly uploadId: string
}

type Needs = Pick<Ports, 'attachmentFiles' | 'limits' | 'queries' | 'uploads'>

/**
 * Puts the parts of uploads together. Refuses with field codes UPLOADED_ATTACHMENT_NOT_FOUND for what is no upload in parts of the
 * caller in this channel, by the same credential, or is spent; NO_UPLOADED_PARTS_TO_FINALIZE if a part is missing; and with 400
 * FILE_SIZE_TOO_LARGE above what the caller may send by now. INFECTED_FILE if the scanner finds something
 * in it. The last three drop the upload (rules/messages#uploads).
 */
export function completeUploads(ports: Needs) {
  return async (caller: Caller, channelId: ChannelId, completed: readonly CompletedUpload[]): Promise<void> => {
    const found: FoundUpload[] = []
    for (const [index, { filename, uploadId }] of completed.entries()) {
      const upload = await heldUpload(ports, caller, channelId, filename)
      if (!upload || upload.part_bytes === null || uploadId !== filename)
        return reject('INVALID_FORM_BODY', field(`uploads.${index}.upload_filename`, 'UPLOADED_ATTACHMENT_NOT_FOUND'))
      found.push(upload)
    }
    for (const [index, upload] of found.entries()) {
      const finished = upload.file ? 'finished' : await putTogether(ports, caller, upload)
      if (finished === 'finished') continue
      const code = finished === 'infected' ? 'INFECTED_FILE' : 'UPLOADED_ATTACHMENT_NOT_FOUND'
      reject('INVALID_FORM_BODY', field(`uploads.${index}.upload_filename`, code))
    }
  }
}

async function putTogether(
  ports: Needs,
  caller: Caller,
  upload: FoundUpload,
): Promise<'finished' | 'gone' | 'infected'> {
  const { attachmentFiles, uploads } = ports
  const { file_bytes_max } = await fileBounds(ports, caller.account, upload.channelId)
  const parts = upload.size_bytes > file_bytes_max ? 'too large' : await uploads.readParts(upload)
  const file = parts && (parts === 'too large' ? parts : await attachmentFiles.receive(parts, file_bytes_max))
  if (file === undefined || file === 'too large') {
    await uploads.drop(upload.id)
    return file === undefined
      ? reject('INVALID_FORM_BODY', field('parts', 'NO_UPLOADED_PARTS_TO_FINALIZE'))
      : reject('FILE_SIZE_TOO_LARGE')
  }
  try {
    return await finishUpload(ports, upload, file, { asker: caller, newId: () => caller.context.newId() })
  } finally {
    await attachmentFiles.discard(file)
  }
}

/** The upload of a name, if the caller may spend it in the channel; also one that `by` has spent. */
export async function heldUpload(
  { uploads }: Pick<Ports, 'uploads'>,
  caller: Caller,
  channelId: ChannelId,
  filename: string,
  by?: string,
): Promise<FoundUpload | undefined> {
  const id = uploadIdIn(filename)
  const upload = id && (await uploads.find(id, by))
  return upload && isHeldBy(upload, uploadHolder(caller, channelId)) ? upload : undefined
}

function uploadIdIn(filename: string): AttachmentId | undefined {
  const parsed = parseSnowflake(filename)
  return parsed.ok ? attachmentId(parsed.id) : undefined
}
