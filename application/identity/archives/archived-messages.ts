import type { ChannelId } from '../../../domain/ids/ids.js'
import type { ArchiveEntry, AuthoredMessages, BegunArchive, WrittenChannel } from '../../ports/archives.js'
import { sentAt, type Message } from '../../ports/messages.js'
import { pause } from '../../concurrency/pauses.js'
import { jsonList } from './json-pieces.js'

const channelsAtOnce_max = 500
const messagesAtOnce_max = 100
/** Between pages the builder rests as long as the page took, at most this long: requests come first. */
const rest_ms_max = 20

export interface MessageSources {
  readonly authored: AuthoredMessages
  readonly isWanted: (place: WrittenChannel) => Promise<boolean>
  /** Called for each channel and after each page, with how many messages were read in all. */
  readonly tell: (messages_count: number) => Promise<void>
  /** Ends rests early. */
  readonly signal: AbortSignal
}

/** The account's messages: one file for each channel that has any, oldest first. */
export async function* archivedMessages(
  { authored, isWanted, tell, signal }: MessageSources,
  { accountId, filter }: Pick<BegunArchive, 'accountId' | 'filter'>,
): AsyncGenerator<ArchiveEntry> {
  const span = { from: filter?.from ?? null, until: filter?.until ?? null }
  let messages_count = 0
  async function* pagesOf(channelId: ChannelId): AsyncGenerator<readonly Message[]> {
    let page: readonly Message[] = []
    do {
      const began = performance.now()
      const after = page.at(-1)?.id
      page = await authored.page(accountId, channelId, { ...span, after }, messagesAtOnce_max)
      messages_count += page.length
      await tell(messages_count)
      if (page.length > 0) yield page
      if (page.length === messagesAtOnce_max) await pause(Math.min(performance.now() - began, rest_ms_max), signal)
    } while (page.length === messagesAtOnce_max)
  }
  for await (const place of placesOf(authored, accountId)) {
    await tell(messages_count)
    if (!(await isWanted(place))) continue
    const pages = pagesOf(place.channelId)
    const first = await pages.next()
    if (first.done) continue
    yield {
      path: `channels/${place.channelId}/messages.json`,
      content: jsonList(objectsOf(first.value, pages)),
    }
  }
}

async function* objectsOf(first: readonly Message[], rest: AsyncIterable<readonly Message[]>) {
  yield first.map(archivedMessage)
  for await (const page of rest) yield page.map(archivedMessage)
}

async function* placesOf(
  authored: AuthoredMessages,
  accountId: BegunArchive['accountId'],
): AsyncGenerator<WrittenChannel> {
  let places: readonly WrittenChannel[] = []
  do {
    places = await authored.channelsOf(accountId, places.at(-1)?.channelId, channelsAtOnce_max)
    yield* places
  } while (places.length === channelsAtOnce_max)
}

/** What the account wrote, and where and when. Others are ids: what they wrote and who they are is not the account's. */
function archivedMessage(message: Message) {
  const { reference } = message
  return {
    id: message.id,
    channel_id: message.channelId,
    guild_id: message.guildId,
    type: message.type,
    flags: message.flags,
    content: message.content,
    timestamp: sentAt(message),
    edited_timestamp: message.editedAt,
    tts: message.tts,
    mention_everyone: message.mentionsEveryone,
    mentions: message.mentions,
    mention_roles: message.mentionRoles,
    ...(reference === null
      ? {}
      : { message_reference: { channel_id: reference.channelId, message_id: reference.messageId } }),
  }
}
