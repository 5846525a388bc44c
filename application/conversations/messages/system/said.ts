import { messageId, type AccountId } from '../../../../domain/ids/ids.ts'
import type { Thread } from '../../../../domain/thread/state.ts'
import { messageTypes } from '../../../../domain/messages/message-types.ts'
import type { SystemMessage } from './post-system-message.ts'

/** The system message for an account that was added to a group or thread, or joined by itself. */
export function added(authorId: AccountId, account: AccountId): SystemMessage {
  return { type: messageTypes.recipientAdd, authorId, mentions: [account] }
}

/** The system message for an account that was removed or left. */
export function removed(authorId: AccountId, account: AccountId): SystemMessage {
  return { type: messageTypes.recipientRemove, authorId, mentions: [account] }
}

/** The system message for a new name; null if the name was removed. */
export function renamed(authorId: AccountId, name: string | null): SystemMessage {
  return { type: messageTypes.channelNameChange, authorId, content: name ?? '' }
}

/** The system message for a new icon, with its hash; null if the icon was removed. */
export function iconChanged(authorId: AccountId, icon: string | null): SystemMessage {
  return { type: messageTypes.channelIconChange, authorId, content: icon ?? '' }
}

/** The message in a channel for a thread that was started without a message. */
export function threadStarted({
  threadId,
  guildId,
  ownerId,
  name,
}: Pick<Thread, 'threadId' | 'guildId' | 'ownerId' | 'name'>): SystemMessage {
  const reference = { channelId: threadId, messageId: messageId(threadId), guildId }
  return { type: messageTypes.threadCreated, authorId: ownerId, content: name, reference }
}
