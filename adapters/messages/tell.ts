import type { Piece } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import { beforeAll } from '../../domain/kernel/position.ts'
import type { MessageNotice, MessageAudience } from '../../application/ports/messages.ts'
import { bigints } from './message-rows.ts'

export const noticeColumns = sql.fragment`
  kind, channel_id, channel_type, guild_id, parent_id, recipients, after, message_ids, author_id`

type Fragment = ReturnType<typeof sql.fragment>

/** Parts of the statements that write notices. */
export interface Notices {
  /**
   * The values of a notice, in the order of `noticeColumns`. The ids and the author are expressions of the surrounding statement.
   */
  values(kind: MessageNotice['kind'], audience: MessageAudience, messageIds: Piece, author?: Fragment): Fragment
  /**
   * The position after which a notice comes: the given one, or what the read models hold as the statement begins, if that is later.
   * The statement begins after every read that the change was allowed by.
   */
  after(given: Piece): Fragment
}

/** `heldPosition`: the position that the read models hold, as an expression. */
export function noticesAfter(heldPosition: Piece): Notices {
  const after = (given: Piece): Fragment => sql.fragment`greatest(${given}, ${heldPosition})`
  return {
    after,
    values: (kind, audience, messageIds, author = sql.fragment`null::int8`) => {
      const { channelId, channelType, guildId, parentId, recipients } = audience
      return sql.fragment`
        ${kind}, ${channelId}::int8, ${channelType}::int2, ${guildId}::int8, ${parentId}::int8,
        ${recipients === null ? sql.fragment`null::int8[]` : bigints(recipients)},
        ${after(sql.fragment`${givenPosition(audience)}::int8`)}, ${messageIds}, ${author}`
    },
  }
}

/** As decimal digits. */
export function givenPosition({ after = beforeAll }: MessageAudience): string {
  return after.toString()
}
