import type { MessageId } from '../ids/ids.ts'
import { compareSnowflakes } from '../ids/snowflake.ts'
import type { Timestamp } from '../kernel/timestamp.ts'

/** What was last written and pinned in a channel, thread or private channel. */
export interface ChannelLast {
  /** The newest message; null if there is none. */
  readonly messageId: MessageId | null
  /** When a message was last pinned, also if it is not pinned any more; null for never. */
  readonly pinnedAt: Timestamp | null
}

/** Of a channel in which nobody wrote or pinned. */
export const nothingLast: ChannelLast = { messageId: null, pinnedAt: null }

/** What is later of two answers about one channel. */
export function laterOf(one: ChannelLast, other: ChannelLast): ChannelLast {
  return {
    messageId: laterMessage(one.messageId, other.messageId),
    pinnedAt: (one.pinnedAt ?? '') > (other.pinnedAt ?? '') ? one.pinnedAt : other.pinnedAt,
  }
}

function laterMessage(one: MessageId | null, other: MessageId | null): MessageId | null {
  if (one === null || other === null) return one ?? other
  return compareSnowflakes(one, other) > 0 ? one : other
}
