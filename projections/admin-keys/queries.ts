import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { AdminKeyQueries, AdminKeyRecord } from '../../application/ports/queries/admin-key-queries.ts'
import type { AdminKeyId } from '../../domain/ids/ids.ts'
import { accountIdColumn, instantColumn, textColumn } from '../columns.ts'

/** `ofAccount` gives this many keys at most, the oldest. */
const listedAdminKeys_max = 1000

const keyRow = z
  .object({
    id: textColumn<AdminKeyId>(),
    account_id: accountIdColumn,
    name: z.string(),
    key_hash: z.string(),
    acls: z.array(z.string()),
    created_at: instantColumn,
    expires_at: instantColumn.nullable(),
    delegation_version: z.int(),
  })
  .transform((row): AdminKeyRecord => ({
    keyId: row.id,
    accountId: row.account_id,
    name: row.name,
    keyHash: row.key_hash,
    acls: row.acls,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    delegationVersion: row.delegation_version,
  }))

const columns = sql.fragment`id, account_id, name, key_hash, acls, created_at, expires_at, delegation_version`

/** Queries over Admin keys. */
export function adminKeyQueries(database: Queries): AdminKeyQueries {
  return {
    find: (key, now) =>
      database.maybeOne(sql.type(keyRow)`
        select ${columns} from admin_keys.keys where id = ${key} and (expires_at is null or expires_at > ${now})`),
    ofAccount: (account, now) =>
      database.any(sql.type(keyRow)`
        select ${columns} from admin_keys.keys
        where account_id = ${account.id} and delegation_version = ${account.delegationVersion}
          and (expires_at is null or expires_at > ${now})
        order by id limit ${listedAdminKeys_max}`),
  }
}
