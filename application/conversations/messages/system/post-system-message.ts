import { createHash } from 'node:crypto'
import { messageId, type AccountId, type MessageId } from '../../../../domain/ids/ids.js'
import { composeSnowflake } from '../../../../domain/ids/snowflake.js'
import { msOf, type Timestamp } from '../../../../domain/kernel/timestamp.js'
import { systemOnce_ms, type MessageReference, type MessageType, type Telling } from '../../../ports/messages.js'
import type { Ports } from '../../../ports.js'

/** What the server itself says of something that happened (reference gateway 3.7, Message types). */
export interface SystemMessage {
  /** All but 0 and 19. */
  readonly type: MessageType
  /** Whose doing it is. */
  readonly authorId: AccountId
  /** `''` where nothing is given. */
  readonly content?: string
  readonly mentions?: readonly AccountId[]
  readonly reference?: MessageReference | null
}

/** 22 bits of a hash of the cause, as the low bits of an id. */
const hash_hex = 6
const lowBits_mask = 0x3f_ffff

/**
 * The id of a system message of an instant: it follows from what it tells of, so that it is there once however often the step is
 * taken. `cause` names that, such as an event's id.
 */
export function systemMessageId(at: Timestamp, cause: string): MessageId {
  const hash = createHash('sha256').update(cause).digest('hex').slice(0, hash_hex)
  return messageId(composeSnowflake(msOf(at), Number.parseInt(hash, 16) & lowBits_mask))
}

/**
 * Posts what is said in a place of something that happened at an instant, once: whoever wrote the event posts it before it answers,
 * and whoever follows the events posts what is missing (`postMissedMessages`). One of the two finds it there. What is personal in it
 * is no part of the id: it may be gone by then.
 */
export async function postSystemMessage(
  ports: Pick<Ports, 'messages'>,
  telling: Telling,
  said: SystemMessage,
  at: Timestamp,
): Promise<void> {
  const { type, authorId, mentions = [], reference } = said
  const cause = [telling.channelId, type, authorId, ...mentions, reference?.messageId ?? ''].join(' ')
  await postOnce(ports, telling, said, systemMessageId(at, cause))
}

/** The same under an id that the caller knows. What was deleted meanwhile is not posted anew. */
export async function postOnce(
  { messages }: Pick<Ports, 'messages'>,
  telling: Telling,
  { type, authorId, content = '', mentions = [], reference = null }: SystemMessage,
  id: MessageId,
): Promise<void> {
  const { channelId, guildId } = telling
  const named = { mentions, mentionRoles: [], mentionsEveryone: false, mentionsHere: false }
  const plain = { flags: 0, tts: false, editedAt: null }
  await messages.post({
    message: { id, channelId, guildId, authorId, type, content, reference, ...plain, ...named },
    once_ms: systemOnce_ms,
    telling,
  })
}
