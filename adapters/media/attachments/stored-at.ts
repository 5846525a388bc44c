import type { AttachmentName } from '../../../application/ports/attachments.ts'

/** Where the file of an attachment is in the store, alone in a folder of its own. Its name for people is not part of it. */
export function attachmentFile(name: Pick<AttachmentName, 'channelId' | 'id'>): string {
  return `${attachmentFolder(name)}file`
}

/** The folder of an attachment, with its slash. */
export function attachmentFolder({ channelId, id }: Pick<AttachmentName, 'channelId' | 'id'>): string {
  return `attachments/${channelId}/${id}/`
}

/** The folder of an upload that comes in parts, with its slash. No backup holds it. */
export function uploadFolder({ channelId, id }: Pick<AttachmentName, 'channelId' | 'id'>): string {
  return `uploads/${channelId}/${id}/`
}

/** Where a part of it is, from 1. */
export function uploadPart(name: Pick<AttachmentName, 'channelId' | 'id'>, part: number): string {
  return `${uploadFolder(name)}${part}`
}
