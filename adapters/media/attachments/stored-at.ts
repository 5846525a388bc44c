import type { AttachmentName } from '../../../application/ports/attachments.ts'

/** Where the file of an attachment is in the store, alone in a folder of its own. Its name for people is not part of it. */
export function attachmentFile(name: Pick<AttachmentName, 'channelId' | 'id'>): string {
  return `${attachmentFolder(name)}file`
}

/** The folder of an attachment, with its slash. */
export function attachmentFolder({ channelId, id }: Pick<AttachmentName, 'channelId' | 'id'>): string {
  return `attachments/${channelId}/${id}/`
}
