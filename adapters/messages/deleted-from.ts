import { sql } from '../../application/sql/sql.ts'
import type { AccountId, ChannelId } from '../../domain/ids/ids.ts'

/**
 * Parts of a statement: `deleted` has the ids of `doomed` that existed in the channel, were written by the author, and are
 * deleted now. The rows are locked in the order of their ids, so that two that delete the same messages wait for each other
 * instead of for ever.
 */
export function deletedFrom(channel: ChannelId, author: AccountId) {
  return sql.fragment`locked as (
      select m.id from messages.messages m
      where m.channel_id = ${channel} and m.author_id = ${author} and m.id = any(array(select id from doomed))
      order by m.id for update
    ), deleted as (
      delete from messages.messages m using locked l where m.channel_id = ${channel} and m.id = l.id returning m.id, m.flags
    )`
}
