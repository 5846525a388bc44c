import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { sql } from '../../application/sql/sql.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import type { Snowflake } from '../../domain/ids/snowflake.ts'
import type { PostgresDatabase } from '../postgres/database.ts'
import { key_bytes, keyOf } from '../../application/secrets/keys.ts'
import { unwrapKey, wrapKey } from './key-wrapping.ts'

export type Keys = ReadonlyMap<AccountId, Uint8Array>

/** The table of wrapped keys. */
export interface KeyTable {
  /** The accounts' existing keys. Destroyed keys are left out. */
  read(accounts: readonly AccountId[]): Promise<Keys>
  /**
   * The same, and makes keys for accounts that never had one. An existing row stays as it is, even a tombstone. A key that another
   * process makes at the same moment is left out too.
   */
  readOrMake(accounts: readonly AccountId[]): Promise<Keys>
  /** Replaces a key by a tombstone. */
  destroy(holder: Snowflake): Promise<void>
}

const keyRow = z.object({
  account: z.custom<AccountId>((value) => typeof value === 'string'),
  wrapped: z.instanceof(Uint8Array),
})
const nothing = z.object({})

/** Opens the table in the schema `personal_data`. */
export function openKeyTable(database: Pick<PostgresDatabase, 'any'>, personalDataKey: Uint8Array): KeyTable {
  const wrappingKey = keyOf(personalDataKey)
  const unwrapped = (rows: readonly z.output<typeof keyRow>[]): Keys =>
    new Map(rows.map(({ account, wrapped }) => [account, unwrapKey(wrappingKey, account, wrapped)]))
  return {
    async read(accounts) {
      const rows = await database.any(sql.type(keyRow)`
        select account_id as account, wrapped_key as wrapped from personal_data.keys
        where account_id = any(${sql.array(accounts, 'int8')}) and wrapped_key is not null
      `)
      return unwrapped(rows)
    },
    async readOrMake(accounts) {
      const made = accounts.map((account) => wrapKey(wrappingKey, account, randomBytes(key_bytes)))
      // Where all exist, nothing is written, and no disk is waited for.
      const rows = await database.any(sql.type(keyRow)`
        with existing as materialized (
          select account_id, wrapped_key from personal_data.keys where account_id = any(${sql.array(accounts, 'int8')})
        ), made as (
          insert into personal_data.keys (account_id, wrapped_key)
          select n.account_id, n.wrapped_key
          from unnest(${sql.array(accounts, 'int8')}, ${sql.array(made, 'bytea')}) n (account_id, wrapped_key)
          where not exists (select from existing e where e.account_id = n.account_id)
          on conflict do nothing
          returning account_id, wrapped_key
        )
        select account_id as account, wrapped_key as wrapped from existing where wrapped_key is not null
        union all
        select account_id as account, wrapped_key as wrapped from made
      `)
      return unwrapped(rows)
    },
    async destroy(holder) {
      await database.any(sql.type(nothing)`
        insert into personal_data.keys (account_id, destroyed_at) values (${holder}, now())
        on conflict (account_id) do update
        set wrapped_key = null, destroyed_at = coalesce(keys.destroyed_at, excluded.destroyed_at)
      `)
    },
  }
}
