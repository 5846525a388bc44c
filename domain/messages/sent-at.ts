import type { MessageId } from '../ids/ids.ts'
import { snowflakeMs } from '../ids/snowflake.ts'
import { timestamp, type Timestamp } from '../kernel/timestamp.ts'

/** When a message was made, from its id. */
export function sentAt({ id }: { readonly id: MessageId }): Timestamp {
  return timestamp(snowflakeMs(id))
}
