import { field } from '../../../domain/kernel/refusal.ts'
import { reject } from '../../commands/refused.ts'
import type { ReceivedFile } from '../../ports/attachments.ts'
import type { SentMessage } from '../messages/sent-message.ts'
import type { SentAttachment } from './sent-attachment.ts'

/** A received file, and what the message says of it. */
export interface DescribedFile extends Pick<SentAttachment, 'flags' | 'duration_s' | 'waveform'> {
  readonly filename: string
  readonly title: string | null
  readonly description: string | null
  readonly file: ReceivedFile
}

const nothingSaid: SentAttachment = {
  id: '',
  filename: undefined,
  title: null,
  description: null,
  flags: 0,
  duration_s: undefined,
  waveform: undefined,
}

/**
 * The files of a form with what the message says of them, in the order of the form. Refuses with field codes
 * DUPLICATE_ATTACHMENT_IDS_NOT_ALLOWED for a file that is described twice, and NO_FILE_FOR_ATTACHMENT_METADATA for a description
 * without a file (rules/messages#files).
 */
export function pairFiles(
  { attachments, files = [] }: Pick<SentMessage, 'attachments' | 'files'>,
  path = 'attachments',
): readonly DescribedFile[] {
  const described = new Map(attachments.map((each) => [each.id, each]))
  if (described.size < attachments.length)
    reject('INVALID_FORM_BODY', field(path, 'DUPLICATE_ATTACHMENT_IDS_NOT_ALLOWED'))
  const known = new Set(files.map(({ index }) => String(index)))
  for (const [position, { id }] of attachments.entries())
    if (!known.has(id)) reject('INVALID_FORM_BODY', field(`${path}.${position}`, 'NO_FILE_FOR_ATTACHMENT_METADATA'))
  return files.map(({ index, filename: own, file }) => {
    const {
      id: _,
      filename = own,
      title = null,
      description = null,
      ...said
    } = described.get(String(index)) ?? nothingSaid
    return { ...said, filename, title, description, file }
  })
}
