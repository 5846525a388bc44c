import { z } from 'zod'
import { derivedKey, keyedHash } from '../../application/secrets/keys.ts'
import { sql } from '../../application/sql/sql.ts'
import type { PostgresDatabase } from '../postgres/database.ts'

/** The stored key of an account, or the tombstone of a destroyed one. */
export type WrappedKey =
  | { readonly account: string; readonly wrapped: Uint8Array }
  | { readonly account: string; readonly destroyedAt: string }

/** Wrapped keys, for moving them from one instance to another. They are never unwrapped here. */
export interface WrappedKeys {
  /** Identifies the PERSONAL_DATA_KEY without revealing it: keys wrapped with another one don't open here. */
  readonly fingerprint: string
  /** All keys and tombstones, by account, in pages. */
  readAll(): AsyncIterable<readonly WrappedKey[]>
  /** The accounts that have different keys here. */
  differing(keys: readonly WrappedKey[]): Promise<readonly string[]>
  /** Adds keys. A tombstone on either side wins over a key: erased data stays erased. */
  add(keys: readonly WrappedKey[]): Promise<void>
}

/** Names this use of PERSONAL_DATA_KEY. Kept forever: export files identify keys by it. */
const label = 'guildhall personal data key fingerprint v1'
const fingerprintDigits = 16
const page_keys = 500

const keyRow = z.object({
  account: z.string(),
  wrapped: z.instanceof(Uint8Array).nullable(),
  destroyedAt: z.string().nullable(),
})
const accountRow = z.object({ account: z.string() })
const nothing = z.object({})

/** The wrapped keys of the schema `personal_data`. */
export function wrappedKeys(database: Pick<PostgresDatabase, 'any'>, personalDataKey: Uint8Array): WrappedKeys {
  return {
    fingerprint: fingerprintOf(personalDataKey),
    readAll: () => pages(database),
    async differing(keys) {
      const { accounts, wrapped } = columnsOf(keys)
      const rows = await database.any(sql.type(accountRow)`
        select k.account_id as account from personal_data.keys k
        join unnest(${sql.array(accounts, 'int8')}, ${sql.array(wrapped, 'bytea')}) n (account_id, wrapped_key)
          on n.account_id = k.account_id
        where k.wrapped_key <> n.wrapped_key and n.wrapped_key <> ''
      `)
      return rows.map(({ account }) => account)
    },
    async add(keys) {
      const { accounts, wrapped, destroyed } = columnsOf(keys)
      await database.any(sql.type(nothing)`
        insert into personal_data.keys (account_id, wrapped_key, destroyed_at)
        select account_id, nullif(wrapped_key, ''), destroyed_at
        from unnest(
          ${sql.array(accounts, 'int8')}, ${sql.array(wrapped, 'bytea')}, ${sql.array(destroyed, 'timestamptz')}
        ) n (account_id, wrapped_key, destroyed_at)
        on conflict (account_id) do update set wrapped_key = null, destroyed_at = excluded.destroyed_at
        where excluded.destroyed_at is not null and keys.destroyed_at is null
      `)
    },
  }
}

/** Identifies a PERSONAL_DATA_KEY without revealing it. */
export function fingerprintOf(personalDataKey: Uint8Array): string {
  const hash = keyedHash(derivedKey(personalDataKey, label), label)
  return hash.toString('hex').slice(0, fingerprintDigits)
}

async function* pages(database: Pick<PostgresDatabase, 'any'>): AsyncGenerator<readonly WrappedKey[]> {
  let after = '-1'
  for (;;) {
    const rows = await database.any(sql.type(keyRow)`
      select account_id as account, wrapped_key as wrapped, destroyed_at as "destroyedAt" from personal_data.keys
      where account_id > ${after} order by account_id limit ${page_keys}
    `)
    const last = rows.at(-1)
    if (!last) return
    yield rows.map(({ account, wrapped, destroyedAt }) =>
      wrapped ? { account, wrapped } : { account, destroyedAt: destroyedAt ?? '' },
    )
    after = last.account
  }
}

/** Keys as the arrays of a statement. An empty value means a destroyed key. */
function columnsOf(keys: readonly WrappedKey[]) {
  return {
    accounts: keys.map(({ account }) => account),
    wrapped: keys.map((key) => Buffer.from('wrapped' in key ? key.wrapped : [])),
    destroyed: keys.map((key) => ('destroyedAt' in key ? key.destroyedAt : null)),
  }
}
