import { attachmentId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import type { Attachment } from '../../../domain/messages/attachments.ts'
import { attachmentScheme, filesOf, type Embed, type EmbedMedia } from '../../../domain/messages/embeds.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Message } from '../../ports/messages.ts'
import type { Ports } from '../../ports.ts'
import { requirePlacedFiles } from '../messages/rules/require-embeds.ts'
import type { EditedMessage } from '../messages/sent-message.ts'
import { newAttachments, type NewAttachment } from './attach-files.ts'
import { namedUploads } from './named-uploads.ts'
import { pairFiles, type DescribedFile, type SpendableUpload } from './pair-files.ts'
import { isUploaded, type SentAttachment } from './sent-attachment.ts'

type Wanted = Pick<EditedMessage, 'attachments' | 'embeds' | 'files'>

/** The files of a message after an edit. */
export interface EditedFiles {
  /** Undefined if they stay as they are. */
  readonly changes: { readonly embeds?: readonly Embed[]; readonly attachments?: readonly Attachment[] }
  /** Those that are still to be kept. */
  readonly made: readonly NewAttachment[]
  /** How many the message then has, with those that its embeds show. */
  readonly all: readonly Attachment[]
}

/**
 * What becomes of the files of a message, and of the embeds that show some. A list of attachments replaces those that are there: an
 * attachment stays if the list names its id, with a new title and description where they are given, and an id that names none is
 * skipped. Without a list, all stay. The files of a form are added, which an earlier try may have `made`. Refuses as `pairFiles` and
 * `requirePlacedFiles` do. See rules/messages#edit.
 */
export async function editedFiles(
  ports: Pick<Ports, 'attachmentAddresses' | 'attachmentFiles' | 'uploads'>,
  caller: Caller,
  message: Message,
  wanted: Wanted,
  earlier?: readonly NewAttachment[],
): Promise<EditedFiles> {
  const { attachments: list, embeds, files = [] } = wanted
  const uploaded = await namedUploads(ports, caller, message.channelId, earlier ? [] : (list ?? []))
  const made = earlier ?? (await newAttachments(ports, caller, describedFiles(wanted, uploaded)))
  const added = made.map(({ attachment }) => attachment)
  const kept = list ? keptOf(message, list) : filesOf(message)
  if (!embeds) {
    const shown = new Set(filesOf({ ...message, attachments: [] }).map(({ id }) => id))
    const beside = [...kept.filter(({ id }) => !shown.has(id)), ...added]
    const isSame = list === undefined && files.length === 0
    return {
      changes: isSame ? {} : { attachments: beside },
      made,
      all: filesOf({ embeds: message.embeds, attachments: beside }),
    }
  }
  const again = withFilesShown(ports, caller, message, { embeds, kept })
  const placed = requirePlacedFiles(again, [...kept, ...added])
  const former = new Set([...message.attachments, ...added].map(({ id }) => id))
  const beside = placed.attachments.filter(({ id }) => list !== undefined || former.has(id))
  const changes = { embeds: placed.embeds, attachments: beside }
  return { changes, made, all: filesOf(changes) }
}

/** The embeds, with the files of the message whose addresses they name: that is how clients give back what they read. */
function withFilesShown(
  { attachmentAddresses: addresses }: Pick<Ports, 'attachmentAddresses'>,
  { context: { now } }: Caller,
  message: Message,
  { embeds, kept }: { readonly embeds: readonly Embed[]; readonly kept: readonly Attachment[] },
): readonly Embed[] {
  const { channelId } = message
  const byAddress = new Map(
    [...filesOf(message), ...kept].map((each) => [addresses.addressOf({ channelId, ...each }, now), each]),
  )
  const shown = (media: EmbedMedia): EmbedMedia => {
    const attachment = byAddress.get(addresses.renewed(media.url, now) ?? '')
    return attachment ? { ...media, url: `${attachmentScheme}${attachment.filename}`, attachment } : media
  }
  return embeds.map((embed) => ({
    ...embed,
    ...(embed.image && { image: shown(embed.image) }),
    ...(embed.thumbnail && { thumbnail: shown(embed.thumbnail) }),
  }))
}

/** The files of the form, as the list describes them that names their numbers, and those that were uploaded before. */
function describedFiles(
  { attachments = [], files = [] }: Wanted,
  uploaded: ReadonlyMap<string, SpendableUpload>,
): readonly DescribedFile[] {
  const indexes = new Set(files.map(({ index }) => String(index)))
  const isNew = (each: SentAttachment): boolean => isUploaded(each) || indexes.has(each.id)
  const positions = attachments.flatMap((each, position) => (isNew(each) ? [position] : []))
  return pairFiles({ attachments: attachments.filter(isNew), files }, uploaded, { at: positions })
}

/** The attachments of a message that a list names, each once, as it describes them, in the order of the list. */
function keptOf(message: Message, list: readonly SentAttachment[]): readonly Attachment[] {
  const there = new Map(filesOf(message).map((each) => [each.id, each]))
  return list.flatMap(({ id, uploadFilename, title, description }) => {
    if (uploadFilename !== undefined) return []
    const found = there.get(attachmentId(snowflake(id)))
    if (!found) return []
    there.delete(found.id)
    return [described(found, { title, description })]
  })
}

function described(
  attachment: Attachment,
  { title = attachment.title, description = attachment.description }: Pick<SentAttachment, 'title' | 'description'>,
): Attachment {
  return { ...attachment, title, description }
}

/**
 * The attachments of another's message as a moderator describes them: none comes and none goes. Refuses with field code
 * CANNOT_EDIT_ATTACHMENT_METADATA if more than titles and descriptions is given.
 */
export function redescribed(message: Message, list: readonly SentAttachment[]): readonly Attachment[] {
  for (const [position, { filename, duration_s, waveform }] of list.entries())
    if (filename !== undefined || duration_s !== undefined || waveform !== undefined)
      reject('INVALID_FORM_BODY', field(`attachments.${position}`, 'CANNOT_EDIT_ATTACHMENT_METADATA'))
  const kept = new Map(keptOf(message, list).map((each) => [each.id, each]))
  return message.attachments.map((each) => kept.get(each.id) ?? each)
}
