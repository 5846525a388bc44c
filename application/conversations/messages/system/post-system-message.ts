import { messageId, type AccountId, type MessageId } from '../../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../../domain/kernel/timestamp.ts'
import { derivedSnowflake } from '../../../commands/derived-snowflake.ts'
import type { MessageReference, MessageAudience } from '../../../ports/messages.ts'
import type { MessageType } from '../../../../domain/messages/message-types.ts'
import type { Ports } from '../../../ports.ts'
import { noParts } from '../../../../domain/messages/parts.ts'

/** How long the store remembers what a step following an event posted. */
export const systemOnce_ms = 7 * 24 * 3_600_000

/** A message from the server about something that happened (rules/messages#system-messages). */
export interface SystemMessage {
  /** Any type except 0 and 19. */
  readonly type: MessageType
  /** The account that did it. */
  readonly authorId: AccountId
  /** `''` by default. */
  readonly content?: string
  readonly mentions?: readonly AccountId[]
  readonly reference?: MessageReference | null
}

/**
 * The id of a system message of an instant. It derives from the cause, such as an event's id, so repeating the step posts no
 * second message.
 */
export function systemMessageId(at: Timestamp, cause: string): MessageId {
  return messageId(derivedSnowflake(at, cause))
}

/**
 * Posts a system message about something that happened at an instant, once. The process that wrote the event posts it before its
 * answer, and the follower of events posts missing ones (`postMissedMessages`); the second of the two finds it there. Personal
 * data is not part of the id, since it may have been erased by then.
 */
export async function postSystemMessage(
  ports: Pick<Ports, 'messages'>,
  audience: MessageAudience,
  said: SystemMessage,
  at: Timestamp,
): Promise<void> {
  const { type, authorId, mentions = [], reference } = said
  const cause = [audience.channelId, type, authorId, ...mentions, reference?.messageId ?? ''].join(' ')
  await postOnce(ports, audience, said, systemMessageId(at, cause))
}

/** The same under a given id. A message that was deleted meanwhile is not posted again. */
export async function postOnce(
  { messages }: Pick<Ports, 'messages'>,
  audience: MessageAudience,
  { type, authorId, content = '', mentions = [], reference = null }: SystemMessage,
  id: MessageId,
): Promise<void> {
  const { channelId, guildId } = audience
  const named = { mentions, mentionRoles: [], mentionsEveryone: false, mentionsHere: false }
  const plain = { flags: 0, tts: false, editedAt: null, ...noParts }
  await messages.post({
    message: { id, channelId, guildId, authorId, type, content, reference, ...plain, ...named },
    once_ms: systemOnce_ms,
    audience,
  })
}
