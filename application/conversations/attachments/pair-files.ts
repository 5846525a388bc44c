import type { AttachmentId } from '../../../domain/ids/ids.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { reject } from '../../commands/refused.ts'
import type { ReceivedFile } from '../../ports/attachments.ts'
import type { UploadedFile } from '../../ports/uploads.ts'
import type { SentMessage } from '../messages/sent-message.ts'
import type { SentAttachment } from './sent-attachment.ts'

/** A file that was uploaded before its message. */
export interface SpendableUpload {
  /** Of the upload. */
  readonly id: AttachmentId
  readonly file: UploadedFile
}

/** A file, and what the message says of it. */
export interface DescribedFile extends Pick<SentAttachment, 'flags' | 'duration_s' | 'waveform'> {
  readonly filename: string
  readonly title: string | null
  readonly description: string | null
  /** Of the form, or uploaded before. */
  readonly source: ReceivedFile | SpendableUpload
}

const nothingSaid: SentAttachment = {
  id: '',
  uploadFilename: undefined,
  filename: undefined,
  title: null,
  description: null,
  flags: 0,
  duration_s: undefined,
  waveform: undefined,
}

/**
 * The files of a form with what the message says of them, in the order of the form, and then those that were uploaded before, in the
 * order of their descriptions. Refuses with field codes DUPLICATE_ATTACHMENT_IDS_NOT_ALLOWED for a file that is described twice,
 * NO_FILE_FOR_ATTACHMENT_METADATA for a description without a file, and UPLOADED_ATTACHMENT_NOT_FOUND for an upload that `uploaded`
 * does not have (rules/messages#files). `at`: the positions of the descriptions in the body, if others stand between them.
 */
export function pairFiles(
  { attachments, files = [] }: Pick<SentMessage, 'attachments' | 'files'>,
  uploaded: ReadonlyMap<string, SpendableUpload>,
  { path = 'attachments', at = [] }: { readonly path?: string; readonly at?: readonly number[] } = {},
): readonly DescribedFile[] {
  const described = new Map(attachments.map((each) => [each.id, each]))
  if (described.size < attachments.length)
    reject('INVALID_FORM_BODY', field(path, 'DUPLICATE_ATTACHMENT_IDS_NOT_ALLOWED'))
  const known = new Set(files.map(({ index }) => String(index)))
  for (const [position, { id, uploadFilename }] of attachments.entries())
    if (uploadFilename === undefined && !known.has(id))
      reject('INVALID_FORM_BODY', field(`${path}.${at[position] ?? position}`, 'NO_FILE_FOR_ATTACHMENT_METADATA'))
  const ofForm = files.map(({ index, filename, file }) =>
    describedFile(described.get(String(index)) ?? nothingSaid, filename, file),
  )
  const unspent = new Map(uploaded)
  const before = attachments.flatMap((each, position) => {
    if (each.uploadFilename === undefined) return []
    const upload = unspent.get(each.uploadFilename)
    unspent.delete(each.uploadFilename)
    return upload ? [describedFile(each, '', upload)] : notUploaded(`${path}.${at[position] ?? position}`)
  })
  return [...ofForm, ...before]
}

/** Refuses a description that names no upload which the message may spend. */
export function notUploaded(path: string): never {
  return reject('INVALID_FORM_BODY', field(`${path}.upload_filename`, 'UPLOADED_ATTACHMENT_NOT_FOUND'))
}

function describedFile(
  { filename, title = null, description = null, flags, duration_s, waveform }: SentAttachment,
  own: string,
  source: DescribedFile['source'],
): DescribedFile {
  return { flags, duration_s, waveform, filename: filename ?? own, title, description, source }
}
