import { attachmentId } from '../../../domain/ids/ids.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import type { Attachment } from '../../../domain/messages/attachments.ts'
import { filesOf } from '../../../domain/messages/embeds.ts'
import { snapshotOf, withFiles } from '../../../domain/messages/forwards.ts'
import type { MessageSnapshot } from '../../../domain/messages/parts.ts'
import { isReplyable } from '../../../domain/messages/message-types.ts'
import { fileBounds } from '../../access/file-bounds.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { requireUnlistedFiles } from '../../content-rules/require-unlisted-file.ts'
import type { Message } from '../../ports/messages.ts'
import type { Ports } from '../../ports.ts'
import { requireMessage } from './rules/readable-message.ts'
import { requireMayEmbed } from './rules/require-embeds.ts'
import { requireMayAttach } from './rules/require-files.ts'
import type { SentMessage, SentReference } from './sent-message.ts'
import { requireTextChannel, type TextChannelNeeds, type TextPlace } from './text-places.ts'

type Needs = TextChannelNeeds & Pick<Ports, 'attachmentFiles' | 'blocklistBox'>

/** A message that is forwarded, and what the forward shows of it. */
export interface Forward {
  readonly source: Message
  readonly snapshot: MessageSnapshot
}

/** Refuses a forward that says anything itself: field code FORWARD_MESSAGES_CANNOT_CONTAIN_CONTENT on `message_reference`. */
export function requireNothingSaid({ content, embeds, attachments, stickerIds, files = [] }: SentMessage): void {
  const said_count = embeds.length + attachments.length + stickerIds.length + files.length
  if (content !== '' || said_count > 0)
    reject('INVALID_FORM_BODY', field('message_reference', 'FORWARD_MESSAGES_CANNOT_CONTAIN_CONTENT'))
}

/**
 * Finds the message that a forward names, which the caller has to see, whatever the cutoff of the history says, and copies the files
 * that the forward shows. Undefined for a reply, and without a reference. `fromHereAlone`: whether it forwards messages of its own place alone, as webhooks do. Refuses, in this order, as `requireTextChannel` does for the
 * place of the message; 404 UNKNOWN_MESSAGE; field codes GUILD_ID_MUST_MATCH_REFERENCED_MESSAGE, CANNOT_REPLY_TO_SYSTEM_MESSAGE, and
 * those of `snapshotOf`; 403 MISSING_PERMISSIONS for embeds without EMBED_LINKS, and for files without ATTACH_FILES, in the
 * destination; 400 FILE_SIZE_TOO_LARGE for a file that the caller could not send there, 403 CONTENT_BLOCKED for a listed one. See rules/messages#forward.
 */
export async function forwardOf(
  ports: Needs,
  caller: Caller,
  place: TextPlace,
  reference: SentReference | null,
  { fromHereAlone }: { readonly fromHereAlone: boolean },
): Promise<Forward | undefined> {
  if (!reference?.forwarded) return undefined
  const { messageId, guildId, forwarded } = reference
  const from = fromHereAlone ? here(place, forwarded) : await requireTextChannel(ports, caller, forwarded.channelId)
  const source = await requireMessage(ports, from, messageId)
  if (guildId !== null && guildId !== source.guildId)
    reject('INVALID_FORM_BODY', field('message_reference.guild_id', 'GUILD_ID_MUST_MATCH_REFERENCED_MESSAGE'))
  if (!isReplyable(source.type))
    reject('INVALID_FORM_BODY', field('message_reference', 'CANNOT_REPLY_TO_SYSTEM_MESSAGE'))
  const taken = snapshotOf(source, forwarded.choice)
  if (taken.fault) return reject('INVALID_FORM_BODY', field(`message_reference.${taken.fault.path}`, taken.fault.code))
  const { snapshot } = taken
  requireMayEmbed(place, snapshot.embeds)
  requireMayAttach(place, snapshot.attachments)
  const files = filesOf(snapshot)
  if (files.length > 0) await requireSizes(ports, caller, place, files)
  await requireUnlistedFiles(ports, files)
  return { source, snapshot: await withCopies(ports, caller, { source, place }, snapshot) }
}

/** A webhook sees its own channel alone: 404 UNKNOWN_CHANNEL for any other. */
function here(place: TextPlace, { channelId }: NonNullable<SentReference['forwarded']>): TextPlace {
  return channelId === place.channelId ? place : reject('UNKNOWN_CHANNEL')
}

async function requireSizes(
  ports: Needs,
  { account }: Caller,
  { channelId }: TextPlace,
  files: readonly Attachment[],
): Promise<void> {
  const { file_bytes_max } = await fileBounds(ports, account, channelId)
  if (files.some(({ size_bytes }) => size_bytes > file_bytes_max)) reject('FILE_SIZE_TOO_LARGE')
}

/** The files of a snapshot belong to the forward, so that they stay when the message goes. One that is gone is left out. */
async function withCopies(
  { attachmentFiles }: Pick<Ports, 'attachmentFiles'>,
  { context }: Caller,
  { source, place }: { readonly source: Message; readonly place: TextPlace },
  snapshot: MessageSnapshot,
): Promise<MessageSnapshot> {
  const copies = new Map<Attachment['id'], Attachment>()
  for (const file of filesOf(snapshot)) {
    const copy = { ...file, id: attachmentId(context.newId()) }
    const isThere = await attachmentFiles.copy(
      { channelId: source.channelId, id: file.id },
      { channelId: place.channelId, id: copy.id },
    )
    if (isThere) copies.set(file.id, copy)
  }
  return withFiles(snapshot, ({ id }) => copies.get(id))
}
