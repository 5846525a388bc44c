import { LRUCache } from 'lru-cache'
import type { PersonalDataKeys } from '../../application/ports/personal-data-keys.js'
import type { AccountId } from '../../domain/ids/ids.js'
import type { Snowflake } from '../../domain/ids/snowflake.js'
import { growsTo } from '../../domain/kernel/grows-to.js'
import type { PostgresDatabase } from '../postgres/database.js'
import { openKeyTable, type Keys, type KeyTable } from './key-table.js'
import { keyBytes } from './key-wrapping.js'

export interface PersonalDataKeysSettings {
  readonly database: PostgresDatabase
  /** The 32 bytes of PERSONAL_DATA_KEY, which encrypt the accounts' keys. */
  readonly personalDataKey: Uint8Array
}

export const cachedKeys_max = 10_000
/** How long this process may still use a key that another process has destroyed. */
export const cachedKey_ms_max = 5000

/** Opens the accounts' keys in Postgres. Rejects if `personalDataKey` does not have 32 bytes. */
export function openPersonalDataKeys({ database, personalDataKey }: PersonalDataKeysSettings): PersonalDataKeys {
  if (personalDataKey.length !== keyBytes) {
    throw new Error(`PERSONAL_DATA_KEY has ${personalDataKey.length} bytes, not ${keyBytes}`)
  }
  const table = openKeyTable(database, personalDataKey)
  const keys = cachedReads(table)
  return {
    existingKeys: (accounts) => keys.read(accounts),
    async keysFor(accounts) {
      const found = await keys.read(accounts)
      const missing = accounts.filter((account) => !found.has(account))
      if (missing.length === 0) return found
      const made = await keys.make(missing)
      // Another process made these in between, or their keys are destroyed.
      const others = missing.filter((account) => !made.has(account))
      return new Map([...found, ...made, ...(others.length === 0 ? [] : await keys.read(others))])
    },
    async destroy(holder) {
      await table.destroy(holder)
      keys.forget(holder)
    },
  }
}

/** Reads of the table with a cache: each key is read once in a while, until it is forgotten. */
function cachedReads(table: KeyTable) {
  const cache = new LRUCache<Snowflake, Uint8Array>({ ...growsTo(cachedKeys_max), ttl: cachedKey_ms_max })
  let forgotten = 0

  async function remembered(reading: () => Promise<Keys>): Promise<Keys> {
    const before = forgotten
    const keys = await reading()
    // A read that began before a key was forgotten must not bring it back.
    if (forgotten === before) for (const [account, key] of keys) cache.set(account, key)
    return keys
  }

  return {
    async read(accounts: readonly AccountId[]): Promise<Keys> {
      const cached = new Map<AccountId, Uint8Array>()
      for (const account of accounts) {
        const key = cache.get(account)
        if (key) cached.set(account, key)
      }
      const missing = accounts.filter((account) => !cached.has(account))
      return missing.length === 0 ? cached : new Map([...cached, ...(await remembered(() => table.read(missing)))])
    },
    make: (accounts: readonly AccountId[]): Promise<Keys> => remembered(() => table.make(accounts)),
    forget(holder: Snowflake): void {
      forgotten += 1
      cache.delete(holder)
    },
  }
}
