import { z } from 'zod'
import { privateChannelTypes } from '../../application/access/private-channel-access.ts'
import type { AccountNotes } from '../../application/ports/account-notes.ts'
import type { Queries } from '../../application/ports/database.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import type { Notices } from './tell.ts'

const nothing = z.object({})
const noteRow = z.object({ note: z.string() })
const pairRow = rowOf(
  (row: { readonly about_id: AccountId; readonly note: string }) => [row.about_id, row.note] as const,
)

/** Notes about accounts, in the schema of messages. A notice names the account alone: whoever tells of it reads the note. */
export function accountNotes(database: Queries, notices: Notices, announce: () => void): AccountNotes {
  return {
    of: async (account) =>
      new Map(
        await database.any(sql.type(pairRow)`
          select about_id, note from messages.account_notes where account_id = ${account} order by about_id`),
      ),
    find: async (account, about) =>
      (
        await database.maybeOne(sql.type(noteRow)`
          select note from messages.account_notes where account_id = ${account} and about_id = ${about}`)
      )?.note,
    async set(account, about, note) {
      const changed =
        note === null
          ? sql.fragment`delete from messages.account_notes where account_id = ${account} and about_id = ${about}`
          : sql.fragment`
            insert into messages.account_notes (account_id, about_id, note) values (${account}, ${about}, ${note})
            on conflict (account_id, about_id) do update set note = excluded.note`
      await database.any(sql.type(nothing)`
        with changed as (${changed})
        insert into messages.notices (kind, channel_id, channel_type, recipients, after, message_ids, author_id)
        values ('note_changed', ${account}, ${privateChannelTypes.notes}, array[${account}::int8],
          ${notices.after(sql.fragment`0`)}, '{}', ${about})`)
      announce()
    },
    async removeAllOf(account) {
      await database.any(sql.type(nothing)`
        delete from messages.account_notes where account_id = ${account} or about_id = ${account}`)
    },
  }
}
