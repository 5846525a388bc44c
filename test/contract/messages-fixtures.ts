import type {
  Message,
  MessageNotice,
  MessageNotices,
  Messages,
  MessageAudience,
  UnrecordedDeletion,
} from '../../application/ports/messages.ts'
import { messageTypes } from '../../domain/messages/message-types.ts'
import { accountId, channelId, entryId, guildId, messageId, type MessageId } from '../../domain/ids/ids.ts'
import { composeSnowflake, snowflake } from '../../domain/ids/snowflake.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { noParts } from '../../domain/messages/parts.ts'

export const id = (digits: number) => snowflake(digits.toString())
export const noon = Date.UTC(2026, 4, 31, 23, 59, 59)
export const ada = accountId(id(71))
export const bob = accountId(id(72))
export const general = channelId(id(81))
export const other = channelId(id(82))
export const home = guildId(id(91))

/** The id of a message from this many seconds after noon. */
export const at = (seconds: number, low = 0): MessageId => messageId(composeSnowflake(noon + seconds * 1000, low))

/** What the read models hold, in all stores of these tests. */
export const held = 5n

export function audience(more: Partial<MessageAudience> = {}): MessageAudience {
  return { channelId: general, channelType: 0, guildId: home, parentId: null, recipients: null, ...more }
}

export function message(of: MessageId, more: Partial<Message> = {}): Message {
  return {
    id: of,
    channelId: general,
    guildId: home,
    authorId: ada,
    type: messageTypes.default,
    flags: 0,
    content: `message ${of}`,
    editedAt: null,
    tts: false,
    mentionsEveryone: false,
    mentionsHere: false,
    mentions: [],
    mentionRoles: [],
    reference: null,
    ...noParts,
    ...more,
  }
}

/** The deletion of a message this many seconds after noon; the entry has the message's id. */
export function unrecorded(of: MessageId, seconds: number, more: Partial<UnrecordedDeletion> = {}): UnrecordedDeletion {
  return {
    entryId: entryId(of),
    guildId: home,
    channelId: general,
    messageId: of,
    count: 1,
    deletedBy: ada,
    at: timestamp(noon + seconds * 1000),
    commandId: 'command',
    correlationId: 'request',
    causationId: 'request',
    operation: 'Delete message',
    reason: 'spam',
    ...more,
  }
}

/** Posts messages of one author, in this order. */
export async function posted(messages: Messages, ids: readonly MessageId[], more: Partial<Message> = {}) {
  for (const each of ids)
    await messages.post({ message: message(each, more), audience: audience({ channelId: more.channelId ?? general }) })
}

/** The next `count` notices after a number. */
export async function nextNotices(notices: MessageNotices, after: bigint, count: number) {
  const stop = new AbortController()
  const heard: MessageNotice[] = []
  for await (const batch of notices.follow(after, stop.signal)) {
    heard.push(...batch)
    if (heard.length >= count) stop.abort()
  }
  return heard
}
