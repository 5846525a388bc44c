import type { Message } from '../../application/ports/messages.ts'
import { filesOf } from '../../domain/messages/embeds.ts'
import { sql } from '../../application/sql/sql.ts'

/** Whether a message has files, or forwards some. */
export function holdsFiles(message: Pick<Message, 'embeds' | 'attachments' | 'snapshots'>): boolean {
  return [message, ...message.snapshots].some((each) => filesOf(each).length > 0)
}

/**
 * Parts of a statement that changes or writes messages, which gives the rows as `rows` with their ids, channels, embeds, attachments and
 * snapshots: the messages take the files that they hold.
 */
export function filesTaken(rows: 'posted' | 'edited') {
  return sql.fragment`, taken as (
      update messages.attachments a set message_id = w.id, due_at = null
      from (
        select r.id, r.channel_id, unnest(messages.files_of(r.embeds, r.attachments, r.snapshots)) as file
        from ${sql.identifier([rows])} r
      ) w
      where a.id = w.file and a.channel_id = w.channel_id
    )`
}

/** The same for an edit: what the message holds no more is to be removed. */
export const filesLeft = sql.fragment`, dropped as (
      update messages.attachments a set message_id = null, due_at = clock_timestamp()
      from edited e
      where a.channel_id = e.channel_id and a.message_id = e.id
        and a.id <> all(messages.files_of(e.embeds, e.attachments, e.snapshots))
    )`
