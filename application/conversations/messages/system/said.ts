import { messageId, type AccountId } from '../../../../domain/ids/ids.js'
import type { Thread } from '../../../../domain/thread/state.js'
import { messageTypes } from '../../../ports/messages.js'
import type { SystemMessage } from './post-system-message.js'

/** What is said of somebody who was added to a group or a thread, or came by itself. */
export function added(authorId: AccountId, account: AccountId): SystemMessage {
  return { type: messageTypes.recipientAdd, authorId, mentions: [account] }
}

/** What is said of somebody who was removed, or left. */
export function removed(authorId: AccountId, account: AccountId): SystemMessage {
  return { type: messageTypes.recipientRemove, authorId, mentions: [account] }
}

/** What is said of a new name; null where there is none any more. */
export function renamed(authorId: AccountId, name: string | null): SystemMessage {
  return { type: messageTypes.channelNameChange, authorId, content: name ?? '' }
}

/** What is said of a new icon, by what the image is called; null where there is none any more. */
export function iconChanged(authorId: AccountId, icon: string | null): SystemMessage {
  return { type: messageTypes.channelIconChange, authorId, content: icon ?? '' }
}

/** What is said in a channel of a thread that was started without a message. */
export function threadStarted({
  threadId,
  guildId,
  ownerId,
  name,
}: Pick<Thread, 'threadId' | 'guildId' | 'ownerId' | 'name'>): SystemMessage {
  const reference = { channelId: threadId, messageId: messageId(threadId), guildId }
  return { type: messageTypes.threadCreated, authorId: ownerId, content: name, reference }
}
