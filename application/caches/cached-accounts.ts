import { LRUCache } from 'lru-cache'
import { accountId, type AccountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { growsTo } from '../../domain/kernel/grows-to.ts'
import { categoryOf, idOf } from '../../domain/streams.ts'
import type { AccountQueries, AccountRecord } from '../ports/queries/account-queries.ts'
import type { Heard } from './heard-events.ts'
import type { Cache } from './cache.ts'
import { readings } from './readings.ts'

export const cachedAccounts_max = 50_000

/**
 * Caches the accounts read while `hearsAll`, and whose sessions are whose, until an event changes them. Bots are read each time,
 * because what they show also depends on their owners. A token without a session is looked up each time too, so guessing fills no
 * memory.
 */
export function cachedAccounts(queries: AccountQueries, hearsAll: () => boolean): Cache<AccountQueries> {
  const kept = new AccountCache(hearsAll)

  // Cached as they are stored: they are prepared for display after this.
  async function findMany(accounts: readonly AccountId[]): Promise<readonly AccountRecord[]> {
    const held = accounts.flatMap((account) => kept.account(account) ?? [])
    if (held.length === accounts.length) return held
    const ids = new Set(held.map(({ id }) => id))
    const missing = accounts.filter((account) => !ids.has(account))
    return [...held, ...(await kept.read(() => queries.findMany(missing), all))]
  }

  return {
    queries: {
      ...queries,
      find: async (account) => kept.account(account) ?? kept.read(() => queries.find(account), single),
      findMany,
      findManyAsStored: findMany,
      bySession: async (tokenHash) =>
        kept.ofSession(tokenHash) ?? kept.read(() => queries.bySession(tokenHash), single, tokenHash),
    },
    forget: (event) => kept.forget(event),
    forgetAll: () => kept.forgetAll(),
  }
}

const all = (found: readonly AccountRecord[]): readonly AccountRecord[] => found
const single = (found: AccountRecord | undefined): readonly AccountRecord[] => (found ? [found] : [])

class AccountCache {
  readonly #hearsAll: () => boolean
  readonly #accounts = new LRUCache<AccountId, AccountRecord>(growsTo(cachedAccounts_max))
  /** By the hash of the token. A session counts only with the very record that it was read with: an event may have ended it since. */
  readonly #sessions = new LRUCache<string, AccountRecord>(growsTo(cachedAccounts_max))
  readonly #readings = readings()

  constructor(hearsAll: () => boolean) {
    this.#hearsAll = hearsAll
  }

  account(id: AccountId): AccountRecord | undefined {
    return this.#hearsAll() ? this.#accounts.get(id) : undefined
  }

  ofSession(tokenHash: string): AccountRecord | undefined {
    const holder = this.#sessions.get(tokenHash)
    return holder && this.account(holder.id) === holder ? holder : undefined
  }

  /**
   * Keeps the accounts among what was found, and which of them the session belongs to, unless an event came meanwhile.
   */
  async read<Found>(
    ask: () => Promise<Found>,
    among: (found: Found) => readonly AccountRecord[],
    session?: string,
  ): Promise<Found> {
    const wasCurrent = this.#hearsAll()
    const { isFresh, end } = this.#readings.begin()
    try {
      const found = await ask()
      for (const account of among(found)) {
        if (!wasCurrent || !this.#hearsAll() || account.bot || !isFresh(account.id)) continue
        // A cached account equals the one just read.
        const kept = this.#accounts.get(account.id) ?? account
        if (kept === account) this.#accounts.set(account.id, account)
        if (session !== undefined) this.#sessions.set(session, kept)
      }
      return found
    } finally {
      end()
    }
  }

  forget({ stream }: Heard): void {
    const category = categoryOf(stream)
    // An account's language is one of its settings.
    if (category !== 'account' && category !== 'user_settings') return
    const account = accountId(snowflake(idOf(stream)))
    this.#readings.forget(account)
    this.#accounts.delete(account)
  }

  forgetAll(): void {
    this.#readings.forgetAll()
    this.#accounts.clear()
    this.#sessions.clear()
  }
}
