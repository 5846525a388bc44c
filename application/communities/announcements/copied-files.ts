import type { AttachmentId, ChannelId } from '../../../domain/ids/ids.ts'
import type { Attachment } from '../../../domain/messages/attachments.ts'
import { filesOf, type Embed, type EmbedMedia } from '../../../domain/messages/embeds.ts'
import type { Message } from '../../ports/messages.ts'
import type { Ports } from '../../ports.ts'

/**
 * The embeds and attachments of a message with files of their own in another channel, so that they go with the copy alone. A file that
 * is gone is left out.
 */
export async function withCopiedFiles(
  { attachmentFiles }: Pick<Ports, 'attachmentFiles'>,
  source: Message,
  channelId: ChannelId,
  newId: (file: Attachment) => AttachmentId,
): Promise<Pick<Message, 'embeds' | 'attachments'>> {
  const copies = new Map<AttachmentId, Attachment>()
  for (const file of filesOf(source)) {
    const copy = { ...file, id: newId(file) }
    const isThere = await attachmentFiles.copy({ channelId: source.channelId, id: file.id }, { channelId, id: copy.id })
    if (isThere) copies.set(file.id, copy)
  }
  return {
    embeds: source.embeds.map((embed) => withMedia(embed, copies)),
    attachments: source.attachments.flatMap(({ id }) => copies.get(id) ?? []),
  }
}

function withMedia({ image, thumbnail, ...embed }: Embed, copies: ReadonlyMap<AttachmentId, Attachment>): Embed {
  const [shownImage, shownThumbnail] = [image, thumbnail].map((media) => copied(media, copies))
  return { ...embed, ...(shownImage && { image: shownImage }), ...(shownThumbnail && { thumbnail: shownThumbnail }) }
}

function copied(media: EmbedMedia | undefined, copies: ReadonlyMap<AttachmentId, Attachment>): EmbedMedia | undefined {
  if (!media?.attachment) return media
  const attachment = copies.get(media.attachment.id)
  return attachment && { ...media, attachment }
}
