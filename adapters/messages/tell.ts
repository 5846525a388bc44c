import { sql, type Piece } from '../../application/ports/database.ts'
import { beforeAll } from '../../application/ports/event-store.ts'
import type { MessageNotice, Telling } from '../../application/ports/messages.ts'
import { bigints } from './message-rows.ts'

export const noticeColumns = sql.fragment`
  kind, channel_id, channel_type, guild_id, parent_id, recipients, after, message_ids, author_id`

/** The values of a notice, in the order of `noticeColumns`. The ids and the author are expressions of the surrounding statement. */
export type NoticeValues = (
  kind: MessageNotice['kind'],
  telling: Telling,
  messageIds: ReturnType<typeof sql.fragment | typeof bigints>,
  author?: ReturnType<typeof sql.fragment>,
) => ReturnType<typeof sql.fragment>

/**
 * Gives the values of notices that come after what the read models hold as their statement begins, which is after every read that the
 * change was allowed by. `heldPosition` is the expression for that position.
 */
export function noticesAfter(heldPosition: Piece): NoticeValues {
  return (
    kind,
    { channelId, channelType, guildId, parentId, recipients, after = beforeAll },
    messageIds,
    author = sql.fragment`null::int8`,
  ) => sql.fragment`
    ${kind}, ${channelId}::int8, ${channelType}::int2, ${guildId}::int8, ${parentId}::int8,
    ${recipients === null ? sql.fragment`null::int8[]` : bigints(recipients)},
    greatest(${after.toString()}::int8, ${heldPosition}), ${messageIds}, ${author}`
}
