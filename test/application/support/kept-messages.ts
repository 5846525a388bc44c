import { nonceLife_ms } from '../../../adapters/messages/post.ts'
import type { Message } from '../../../application/ports/messages.ts'
import type { MessageId } from '../../../domain/ids/ids.ts'
import { snowflakeMs } from '../../../domain/ids/snowflake.ts'

/** A message as the store in memory keeps it. */
export type Kept = Message & { readonly nonce: string | null }

export function plain({ nonce: _, ...message }: Kept): Message {
  return message
}

/** What an author sent in a channel with a nonce that is alive. */
export function firstWith(
  kept: ReadonlyMap<MessageId, Kept>,
  nonce: string,
  { channelId, authorId }: Pick<Message, 'channelId' | 'authorId'>,
  now_ms: number,
): Message | undefined {
  const alive = [...kept.values()].filter(({ id }) => snowflakeMs(id) >= now_ms - nonceLife_ms)
  const own = alive.filter((other) => other.authorId === authorId && other.channelId === channelId)
  return own.filter((other) => other.nonce === nonce).map(plain)[0]
}
