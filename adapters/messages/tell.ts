import { sql } from '../../application/ports/database.js'
import type { MessageNotice, Telling } from '../../application/ports/messages.js'
import { bigints } from './message-rows.js'

export const noticeColumns = sql.fragment`
  kind, channel_id, channel_type, guild_id, parent_id, recipients, after, message_ids, author_id`

/**
 * The values of a notice, in the order of `noticeColumns`. The ids and the author are expressions of the surrounding statement.
 */
export function noticeValues(
  kind: MessageNotice['kind'],
  { channelId, channelType, guildId, parentId, recipients, after }: Telling,
  messageIds: ReturnType<typeof sql.fragment | typeof bigints>,
  author: ReturnType<typeof sql.fragment> = sql.fragment`null::int8`,
) {
  return sql.fragment`
    ${kind}, ${channelId}::int8, ${channelType}::int2, ${guildId}::int8, ${parentId}::int8,
    ${recipients === null ? sql.fragment`null::int8[]` : bigints(recipients)}, ${after.toString()}::int8,
    ${messageIds}, ${author}`
}
