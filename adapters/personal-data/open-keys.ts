import { LRUCache } from 'lru-cache'
import { atMost, inBatches } from '../../application/concurrency/batches.ts'
import type { PersonalDataKeys } from '../../application/ports/personal-data-keys.ts'
import { Unavailable } from '../../application/failures/unavailable.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import type { Snowflake } from '../../domain/ids/snowflake.ts'
import { growsTo } from '../../domain/kernel/grows-to.ts'
import type { PostgresDatabase } from '../postgres/database.ts'
import { openKeyTable, type Keys, type KeyTable } from './key-table.ts'
import { key_bytes } from '../../application/secrets/keys.ts'

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
  if (personalDataKey.length !== key_bytes) {
    throw new Error(`PERSONAL_DATA_KEY has ${personalDataKey.length} bytes, not ${key_bytes}`)
  }
  const table = openKeyTable(database, personalDataKey)
  const keys = cachedReads(table)
  return {
    existingKeys: (accounts) => keys.read(accounts),
    async keysFor(accounts) {
      const found = await keys.readOrMake(accounts)
      // Another process made these at the same moment, or their keys are destroyed.
      const others = accounts.filter((account) => !found.has(account))
      return others.length === 0 ? found : new Map([...found, ...(await keys.read(others))])
    },
    async destroy(holder) {
      await table.destroy(holder)
      keys.forget(holder)
    },
  }
}

/** How many callers share one statement, and how many may wait for it. */
const makings_max = 256
const waiting_max = 10_000

/** Keys that are made at the same time are stored at once. Each caller gets its own. */
async function madeTogether(table: KeyTable, batch: readonly (readonly AccountId[])[]): Promise<readonly Keys[]> {
  const keys = await table.readOrMake([...new Set(batch.flat())])
  return batch.map((accounts) => new Map(accounts.flatMap((account) => entryOf(keys, account))))
}

function entryOf(keys: Keys, account: AccountId): readonly [AccountId, Uint8Array][] {
  const key = keys.get(account)
  return key ? [[account, key]] : []
}

/** Reads of the table with a cache: each key is read once in a while, until it is forgotten. */
function cachedReads(table: KeyTable) {
  const cache = new LRUCache<Snowflake, Uint8Array>({ ...growsTo(cachedKeys_max), ttl: cachedKey_ms_max })
  const makings = inBatches<readonly AccountId[], Keys>({
    run: (batch) => madeTogether(table, batch),
    begin: atMost(makings_max),
    refusal: ({ items }) => (items < waiting_max ? undefined : new Unavailable(`${items} callers wait for keys`)),
  })
  let forgotten = 0

  async function remembered(reading: () => Promise<Keys>): Promise<Keys> {
    const before = forgotten
    const keys = await reading()
    // A read that began before a key was forgotten must not bring it back.
    if (forgotten === before) for (const [account, key] of keys) cache.set(account, key)
    return keys
  }

  /** The keys that are cached, and those that `reading` gives of the others. */
  async function cachedOr(accounts: readonly AccountId[], reading: KeyTable['read']): Promise<Keys> {
    const cached = new Map<AccountId, Uint8Array>()
    for (const account of accounts) {
      const key = cache.get(account)
      if (key) cached.set(account, key)
    }
    const missing = accounts.filter((account) => !cached.has(account))
    return missing.length === 0 ? cached : new Map([...cached, ...(await remembered(() => reading(missing)))])
  }

  return {
    read: (accounts: readonly AccountId[]): Promise<Keys> => cachedOr(accounts, (missing) => table.read(missing)),
    readOrMake: (accounts: readonly AccountId[]): Promise<Keys> =>
      cachedOr(accounts, (missing) => makings.add(missing)),
    forget(holder: Snowflake): void {
      forgotten += 1
      cache.delete(holder)
    },
  }
}
