import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import type { UnsentMail, WantedMails } from '../../application/ports/mail.ts'
import type { SealedBox } from '../../application/secrets/sealed-box.ts'
import { sql } from '../../application/sql/sql.ts'
import { accountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { contentOf } from './mail-content.ts'
import { kindColumn, kindOf } from './mail-kinds.ts'

const unsentRow = z.object({
  id: z.string(),
  key: z.instanceof(Uint8Array),
  sealed: z.instanceof(Uint8Array),
  kind: kindColumn,
  accountId: z.string().nullable(),
  state: z.enum(['waiting', 'kept', 'parked']),
  tries: z.int(),
  createdAt: z.string(),
  dueAt: z.string(),
  failure: z.string().nullable(),
})

/** Mails that are not done, the newest first. Its condition is that of the index `outbox_unsent`. */
export async function unsentMails(
  database: Queries,
  box: SealedBox,
  { state, accountId: about, after, limit }: WantedMails,
): Promise<readonly UnsentMail[]> {
  const conditions = [
    // Both conditions at once would have Postgres expect far fewer waiting mails than there are.
    state === null ? sql.fragment`state <> 'done'` : sql.fragment`state = ${state}`,
    ...(about === null ? [] : [sql.fragment`account_id = ${about}`]),
    ...(after === null ? [] : [sql.fragment`id < ${after}`]),
  ]
  const rows = await database.any(sql.type(unsentRow)`
    select id, key, sealed, sealed_kind as kind, account_id as "accountId", state, tries,
      created_at as "createdAt", due_at as "dueAt", failure
    from mail.outbox where ${sql.join(conditions, sql.fragment` and `)} order by id desc limit ${limit}`)
  return rows.map(({ key, sealed, kind, accountId: account, createdAt, dueAt, ...row }) => ({
    ...row,
    template: kindOf(box, key, kind).template,
    accountId: account === null ? null : accountId(snowflake(account)),
    to: contentOf(box, key, sealed).to,
    createdAt: timestamp(Date.parse(createdAt)),
    dueAt: row.state === 'waiting' ? timestamp(Date.parse(dueAt)) : null,
  }))
}
