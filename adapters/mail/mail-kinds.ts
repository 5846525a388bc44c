import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import type { CausedMail } from '../../application/ports/mail.ts'
import { sql } from '../../application/sql/sql.ts'
import type { SealedBox } from '../../application/secrets/sealed-box.ts'
import { accountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'

/** The template and the operation of a mail, sealed; null for a forgotten account, and from a version before. */
export const kindColumn = z.instanceof(Uint8Array).nullable()

const causedRow = z.object({
  id: z.string(),
  key: z.instanceof(Uint8Array),
  kind: kindColumn,
  causationId: z.string(),
  accountId: z.string(),
  state: z.enum(['waiting', 'kept', 'parked', 'sent', 'deleted']),
  createdAt: z.string(),
})

/** The mails of a request. One that is done was sent, unless it was deleted unsent. */
export async function mailsOfRequest(
  database: Queries,
  box: SealedBox,
  correlationId: string,
  limit: number,
): Promise<readonly CausedMail[]> {
  const rows = await database.any(sql.type(causedRow)`
    select id, key, sealed_kind as kind, causation_id as "causationId", account_id as "accountId",
      created_at as "createdAt",
      case when state <> 'done' then state when failure is null then 'sent' else 'deleted' end as state
    from mail.outbox where correlation_id = ${correlationId} order by id limit ${limit}`)
  return rows.map(({ key, kind, ...row }) => ({
    ...row,
    template: kindOf(box, key, kind).template,
    accountId: accountId(snowflake(row.accountId)),
    createdAt: timestamp(Date.parse(row.createdAt)),
  }))
}

const mailKind = z.object({ template: z.string().nullable(), operation: z.string().optional() })

export function sealedKind(box: SealedBox, key: Uint8Array, kind: z.output<typeof mailKind>): Buffer {
  return box.seal(kindContextOf(key), JSON.stringify(kind))
}

/** Which mail it is, and for which operation: nothing once its account is forgotten. */
export function kindOf(box: SealedBox, key: Uint8Array, sealed: Uint8Array | null): z.output<typeof mailKind> {
  return sealed === null ? { template: null } : mailKind.parse(JSON.parse(box.open(kindContextOf(key), sealed)))
}

const kindContextOf = (key: Uint8Array): readonly string[] => [Buffer.from(key).toString('hex'), 'kind']
