import type { ChannelId, MessageId } from '../../../domain/ids/ids.ts'
import { pause } from '../../concurrency/pauses.ts'
import type { ArchiveEntry, WrittenChannel } from '../../ports/archives.ts'
import type { AttachmentName } from '../../ports/attachments.ts'
import { filesOf } from '../../../domain/messages/embeds.ts'
import type { Message } from '../../ports/messages.ts'
import type { MessageSnapshot } from '../../../domain/messages/parts.ts'
import { sentAt } from '../../../domain/messages/sent-at.ts'
import { jsonList } from './json-pieces.ts'
import type { Attachment } from '../../../domain/messages/attachments.ts'
import { attachmentObject } from '../../wire-objects/conversations/attachment-objects.ts'
import { reactionsObject } from '../../wire-objects/conversations/reaction-objects.ts'
import { embedObject } from '../../wire-objects/conversations/embed-objects.ts'

const messagesAtOnce_max = 100
/** Between pages the builder rests as long as the page took, at most this long: requests come first. */
const rest_ms_max = 20

/** Reads the file of an attachment from the store, piece by piece; undefined if it is gone. */
export type ReadStoredFile = (
  name: Pick<AttachmentName, 'channelId' | 'id'>,
) => Promise<AsyncIterable<Uint8Array> | undefined>

/** The messages of an archive. */
export interface MessageSource {
  /** The channels in which some may be. */
  readonly channels: AsyncIterable<WrittenChannel>
  readonly isWanted: (channel: WrittenChannel) => Promise<boolean>
  /** A page of those in a channel, oldest first, after a message if one is given; at most `limit`. */
  readonly page: (channel: ChannelId, after: MessageId | undefined, limit: number) => Promise<readonly Message[]>
  /** What the archive holds of one. */
  readonly shown: (message: Message) => object
  /** If absent, the archive has no files of messages. */
  readonly readFile?: ReadStoredFile
}

export interface MessageProgress {
  /** Called for each channel and after each page, with how many messages were read in all. */
  readonly tell: (messages_count: number) => Promise<void>
  /** Ends rests early. */
  readonly signal: AbortSignal
}

/** One file for each channel that has messages, oldest first, and after it the files of these messages. */
export async function* archivedMessages(
  { channels, isWanted, page: read, shown, readFile }: MessageSource,
  { tell, signal }: MessageProgress,
): AsyncGenerator<ArchiveEntry> {
  let messages_count = 0
  const files: Attachment[] = []
  async function* pagesOf(channelId: ChannelId): AsyncGenerator<readonly object[]> {
    let page: readonly Message[] = []
    do {
      const began = performance.now()
      page = await read(channelId, page.at(-1)?.id, messagesAtOnce_max)
      messages_count += page.length
      if (readFile) files.push(...page.flatMap((message) => [message, ...message.snapshots].flatMap(filesOf)))
      await tell(messages_count)
      if (page.length > 0) yield page.map(shown)
      if (page.length === messagesAtOnce_max) await pause(Math.min(performance.now() - began, rest_ms_max), signal)
    } while (page.length === messagesAtOnce_max)
  }
  for await (const channel of channels) {
    await tell(messages_count)
    if (!(await isWanted(channel))) continue
    files.length = 0
    const pages = pagesOf(channel.channelId)
    const first = await pages.next()
    if (first.done) continue
    const folder = `channels/${channel.channelId}`
    yield { path: `${folder}/messages.json`, content: jsonList(continued(first.value, pages)) }
    for (const file of files) {
      const content = await readFile?.({ channelId: channel.channelId, id: file.id })
      if (content) yield { path: `${folder}/${archivedAt(file)}`, content }
    }
  }
}

async function* continued(first: readonly object[], rest: AsyncIterable<readonly object[]>) {
  yield first
  yield* rest
}

const isNobodys = (): boolean => false

/** Where the file of an attachment is in the archive, beside its message. */
export function archivedAt({ id, filename }: Pick<Attachment, 'id' | 'filename'>): string {
  return `attachments/${id}/${filename}`
}

/** What was written, where and when, and how many reacted with what. People are ids. */
export function archivedMessage(message: Message) {
  const { reference } = message
  return {
    id: message.id,
    channel_id: message.channelId,
    guild_id: message.guildId,
    ...(message.webhook && { webhook_id: message.authorId, username: message.webhook.name }),
    type: message.type,
    flags: message.flags,
    content: message.content,
    timestamp: sentAt(message),
    edited_timestamp: message.editedAt,
    pinned_at: message.pinnedAt,
    tts: message.tts,
    mention_everyone: message.mentionsEveryone,
    mentions: message.mentions,
    mention_roles: message.mentionRoles,
    ...(message.embeds.length === 0 ? {} : { embeds: message.embeds.map((embed) => embedObject(embed, archivedAt)) }),
    ...(message.attachments.length === 0
      ? {}
      : { attachments: message.attachments.map((each) => attachmentObject(each, message.channelId, archivedAt)) }),
    ...(message.reactions && { reactions: reactionsObject(message.reactions, isNobodys) }),
    ...(message.stickers.length === 0 ? {} : { stickers: message.stickers }),
    ...(message.snapshots.length === 0
      ? {}
      : { message_snapshots: message.snapshots.map((each) => archivedSnapshot(each, message.channelId)) }),
    ...(reference === null
      ? {}
      : { message_reference: { channel_id: reference.channelId, message_id: reference.messageId } }),
  }
}

function archivedSnapshot(snapshot: MessageSnapshot, channelId: ChannelId) {
  return {
    type: snapshot.type,
    flags: snapshot.flags,
    content: snapshot.content,
    timestamp: snapshot.sentAt,
    edited_timestamp: snapshot.editedAt,
    mentions: snapshot.mentions,
    mention_roles: snapshot.mentionRoles,
    embeds: snapshot.embeds.map((embed) => embedObject(embed, archivedAt)),
    attachments: snapshot.attachments.map((each) => attachmentObject(each, channelId, archivedAt)),
    ...(snapshot.stickers && { stickers: snapshot.stickers }),
  }
}
