import type { AccountId, AttachmentId, MessageId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { Attachment } from './attachments.ts'
import { showsAnything, type Embed, type EmbedMedia } from './embeds.ts'
import { messageFlags, sentFlags } from './message-flags.ts'
import type { MessageType } from './message-types.ts'
import type { MessageParts, MessageSnapshot } from './parts.ts'
import { sentAt } from './sent-at.ts'

/** A message that somebody forwards. */
export interface ForwardedMessage extends MessageParts {
  readonly id: MessageId
  readonly authorId: AccountId
  readonly type: MessageType
  readonly flags: number
  readonly content: string
  readonly editedAt: Timestamp | null
  readonly mentions: readonly AccountId[]
  readonly mentionRoles: MessageSnapshot['mentionRoles']
}

/** Which files and embeds a forward takes. With neither it takes the whole message, else nothing but these. */
export interface ForwardChoice {
  readonly attachmentIds: readonly AttachmentId[]
  /** Positions in what the message shows. */
  readonly embedIndices: readonly number[]
}

export type ForwardFault =
  | { readonly code: 'ATTACHMENT_ID_NOT_FOUND_IN_MESSAGE'; readonly path: 'attachment_ids' }
  | { readonly code: 'EMBED_INDEX_OUT_OF_BOUNDS'; readonly path: 'embed_indices' }

/**
 * What a forward shows of a message: the message as it is now or, if that is a forward itself, what it shows. The files are still
 * those of the message. Faults: ATTACHMENT_ID_NOT_FOUND_IN_MESSAGE and EMBED_INDEX_OUT_OF_BOUNDS (rules/messages#forward).
 */
export function snapshotOf(
  message: ForwardedMessage,
  { attachmentIds, embedIndices }: ForwardChoice,
): { readonly fault: ForwardFault } | { readonly fault?: undefined; readonly snapshot: MessageSnapshot } {
  const whole = message.snapshots[0] ?? asSnapshot(message)
  const shown = { ...whole, flags: sentFlags(whole.flags), embeds: isSuppressed(whole) ? [] : whole.embeds }
  if (attachmentIds.length === 0 && embedIndices.length === 0) return { snapshot: shown }
  const attachments = shown.attachments.filter(({ id }) => attachmentIds.includes(id))
  if (attachments.length < new Set(attachmentIds).size)
    return { fault: { code: 'ATTACHMENT_ID_NOT_FOUND_IN_MESSAGE', path: 'attachment_ids' } }
  const chosen = [...new Set(embedIndices)].map((index) => shown.embeds[index])
  const embeds = chosen.flatMap((embed) => embed ?? [])
  if (embeds.length < chosen.length) return { fault: { code: 'EMBED_INDEX_OUT_OF_BOUNDS', path: 'embed_indices' } }
  const { stickers: _, ...rest } = shown
  return { snapshot: { ...rest, content: '', editedAt: null, mentions: [], mentionRoles: [], attachments, embeds } }
}

function asSnapshot(message: ForwardedMessage): MessageSnapshot {
  const { authorId, type, flags, content, editedAt, mentions, mentionRoles, embeds, attachments, stickers } = message
  return {
    authorId,
    type,
    flags,
    content,
    sentAt: sentAt(message),
    editedAt,
    mentions,
    mentionRoles,
    embeds,
    attachments,
    ...(stickers.length > 0 && { stickers }),
  }
}

function isSuppressed({ flags }: Pick<MessageSnapshot, 'flags'>): boolean {
  return (flags & messageFlags.SUPPRESS_EMBEDS) !== 0
}

/** A snapshot with other files in the place of its own. Files without another one, and embeds that then show nothing, go. */
export function withFiles(
  snapshot: MessageSnapshot,
  other: (file: Attachment) => Attachment | undefined,
): MessageSnapshot {
  const shown = (media: EmbedMedia | undefined): EmbedMedia | undefined => {
    if (!media?.attachment) return media
    const attachment = other(media.attachment)
    return attachment && { ...media, attachment }
  }
  const embeds = snapshot.embeds.flatMap((embed): readonly Embed[] => {
    const { image: _image, thumbnail: _thumbnail, ...rest } = embed
    const [image, thumbnail] = [shown(embed.image), shown(embed.thumbnail)]
    const changed = { ...rest, ...(image && { image }), ...(thumbnail && { thumbnail }) }
    return showsAnything(changed) ? [changed] : []
  })
  return { ...snapshot, attachments: snapshot.attachments.flatMap((file) => other(file) ?? []), embeds }
}
