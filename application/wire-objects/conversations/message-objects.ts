import type { AccountId } from '../../../domain/ids/ids.js'
import type { AccountRecord } from '../../ports/queries/account-queries.js'
import { messageTypes, sentAt, type Message, type MessageReference, type MessageType } from '../../ports/messages.js'
import type { Viewer } from '../communities/guild-objects.js'
import type { ThreadObject } from './thread-objects.js'
import { partialUserObject } from '../identity/user-objects.js'

/** What a message object is made of. */
export interface MessageParts {
  readonly message: Message
  /** The record of an account that `accountsIn` names; one that is gone looks like a deleted account. */
  readonly account: (id: AccountId) => AccountRecord
  /** Of a reply: what it answers, null where that is gone. Of other messages it is not read. */
  readonly referenced?: Message | null
  /** Only where the message is made: on the answer and on its Dispatch. */
  readonly nonce?: string | null
  /** The thread that was started from the message, as an object; shown to viewers with thread access. */
  readonly thread?: ThreadObject | undefined
}

/** HAS_THREAD and FAILED_TO_MENTION_SOME_ROLES_IN_THREAD: what viewers without thread access don't see (reference gateway 1.7.1). */
const threadFlags = (1 << 5) | (1 << 8)

/** The message object (reference gateway 3.7). What belongs to parts that are not built has its empty form. */
export function messageObject(parts: MessageParts, viewer: Viewer) {
  const { message, referenced, nonce, thread } = parts
  return {
    ...plainMessage(parts, viewer),
    ...(nonce === undefined || nonce === null ? {} : { nonce }),
    ...(answersAnother(message) && referenced !== undefined
      ? { referenced_message: referenced && plainMessage({ ...parts, message: referenced }, viewer) }
      : {}),
    ...(thread !== undefined && viewer.threadAccess ? { thread } : {}),
  }
}

export type MessageObject = ReturnType<typeof messageObject>

/** A message as it stands in another: without what it refers to itself. */
function plainMessage({ message, account }: Pick<MessageParts, 'message' | 'account'>, viewer: Viewer) {
  const { reference } = message
  return {
    id: message.id,
    channel_id: message.channelId,
    author: partialUserObject(account(message.authorId)),
    type: message.type,
    flags: viewer.threadAccess ? message.flags : message.flags & ~threadFlags,
    content: message.content,
    timestamp: sentAt(message),
    edited_timestamp: message.editedAt,
    pinned: false,
    mention_everyone: message.mentionsEveryone,
    tts: message.tts,
    mentions: message.mentions.map((id) => partialUserObject(account(id))),
    mention_roles: message.mentionRoles,
    embeds: [] as readonly never[],
    attachments: [] as readonly never[],
    stickers: [] as readonly never[],
    ...(reference === null ? {} : { message_reference: referenceObject(reference) }),
  }
}

/** Type 0: a reply, or what a system message points to; forwards are not built. */
function referenceObject({ channelId, messageId, guildId }: MessageReference) {
  return {
    channel_id: channelId,
    message_id: messageId,
    ...(guildId === null ? {} : { guild_id: guildId }),
    type: 0,
  }
}

/** Whether a message shows the one that it refers to. */
export function answersAnother({ type, reference }: Pick<Message, 'type' | 'reference'>): boolean {
  return reference !== null && (type === messageTypes.reply || type === messageTypes.threadStarter)
}

/** Whose records the objects of messages take: authors and those who are mentioned, each once. */
export function accountsIn(messages: readonly Message[]): readonly AccountId[] {
  return [...new Set(messages.flatMap(({ authorId, mentions }) => [authorId, ...mentions]))]
}

/** The types that are shown only to viewers with thread access (reference gateway 1.7.1). */
export const typesOfThreads: readonly MessageType[] = [messageTypes.threadCreated, messageTypes.threadStarter]

/** Whether a message is of one of them. */
export function needsThreadAccess({ type }: Pick<Message, 'type'>): boolean {
  return typesOfThreads.includes(type)
}
