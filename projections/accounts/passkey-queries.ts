import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { PasskeyQueries, PasskeyRecord } from '../../application/ports/queries/passkey-queries.ts'
import { accountIdColumn, instantColumn } from '../columns.ts'

/** Reads the result of `passkeysAsJson` for a passkey. */
export const passkeyRow = z
  .object({
    credential_id: z.string(),
    name: z.string(),
    registered_at: instantColumn,
    last_used_at: instantColumn.nullable(),
  })
  .transform((row): PasskeyRecord => ({
    id: row.credential_id,
    name: row.name,
    registeredAt: row.registered_at,
    lastUsedAt: row.last_used_at,
  }))

const instantText = sql.fragment`'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

/** The passkeys of the account in accounts.accounts a, as a JSON array `passkey_list`. */
export const passkeysAsJson = sql.fragment`
  select coalesce(json_agg(json_build_object(
    'credential_id', w.credential_id,
    'name', w.name,
    'registered_at', to_char(w.registered_at at time zone 'UTC', ${instantText}),
    'last_used_at', to_char(w.last_used_at at time zone 'UTC', ${instantText})
  ) order by w.registered_at, w.credential_id), '[]') as passkey_list
  from accounts.webauthn_credentials w where w.account_id = a.id`

const holderRow = z.object({ account_id: accountIdColumn }).transform((row) => row.account_id)

/** Queries over the passkeys in the accounts read model. */
export function passkeyQueries(database: Queries): PasskeyQueries {
  return {
    ofAccount: (account) =>
      database.any(sql.type(passkeyRow)`
        select credential_id, name, registered_at, last_used_at from accounts.webauthn_credentials
        where account_id = ${account} order by registered_at, credential_id`),
    holderOf: (credentialId) =>
      database.maybeOne(sql.type(holderRow)`
        select account_id from accounts.webauthn_credentials
        where credential_id = ${credentialId} order by registered_at, account_id limit 1`),
  }
}
