import type { AccountId } from '../../../domain/ids/ids.ts'
import type { AuthoredMessages, WrittenChannel } from '../../ports/archives.ts'
import type { MessageFilter } from '../../ports/message-filter.ts'
import { archivedMessage, type MessageSource } from './archived-messages.ts'

const channelsAtOnce_max = 500

/** The messages that an account wrote within the filter's time. What others wrote is not the account's. */
export function ownMessages(
  authored: AuthoredMessages,
  author: AccountId,
  filter: MessageFilter | null,
): Omit<MessageSource, 'isWanted'> {
  const span = { from: filter?.from ?? null, until: filter?.until ?? null }
  return {
    channels: channelsOf(authored, author),
    page: (channel, after, limit) => authored.page(author, channel, { ...span, after }, limit),
    shown: archivedMessage,
  }
}

async function* channelsOf(authored: AuthoredMessages, author: AccountId): AsyncGenerator<WrittenChannel> {
  let channels: readonly WrittenChannel[] = []
  do {
    channels = await authored.channelsOf(author, channels.at(-1)?.channelId, channelsAtOnce_max)
    yield* channels
  } while (channels.length === channelsAtOnce_max)
}
