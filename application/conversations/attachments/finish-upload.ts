import { contentTypeOf } from '../../../domain/attachments/content-type.ts'
import type { Snowflake } from '../../../domain/ids/snowflake.ts'
import { attachmentId } from '../../../domain/ids/ids.ts'
import type { Asker } from '../../ports/asker.ts'
import type { ReceivedFile } from '../../ports/attachments.ts'
import type { Upload } from '../../ports/uploads.ts'
import type { Ports } from '../../ports.ts'

/**
 * Keeps a received file as what an upload has become, once the scanner has found nothing in it, and looks at it if its name is that of
 * a picture. `gone` if the upload is, or a message has spent it. Rejects with Unavailable if store or scanner can't be reached.
 */
export async function finishUpload(
  { attachmentFiles, uploads }: Pick<Ports, 'attachmentFiles' | 'uploads'>,
  upload: Upload,
  file: ReceivedFile,
  { asker, newId }: { readonly asker: Asker; readonly newId: () => Snowflake },
): Promise<'finished' | 'gone' | 'infected'> {
  if ((await attachmentFiles.scan(file)) === 'infected') {
    await uploads.drop(upload.id)
    return 'infected'
  }
  const isPicture = contentTypeOf(upload.filename).startsWith('image/')
  const seen = isPicture ? await attachmentFiles.look(file, asker) : undefined
  const id = attachmentId(newId())
  const { size_bytes, hash } = file
  await attachmentFiles.keep({ channelId: upload.channelId, id }, file)
  return uploads.finish(upload.id, { id, size_bytes, hash, ...(seen && { seen }) })
}
