import { LRUCache } from 'lru-cache'
import { accountId, type AccountId } from '../../domain/ids/ids.js'
import { snowflake } from '../../domain/ids/snowflake.js'
import { growsTo } from '../../domain/kernel/grows-to.js'
import { categoryOf, idOf } from '../../domain/streams.js'
import type { RecordedEvent } from '../ports/event-store.js'
import type { AccountQueries, AccountRecord } from '../ports/queries/account-queries.js'
import type { Held } from './held.js'
import { readings } from './readings.js'

export const accountsAtHand_max = 50_000

/**
 * Caches the accounts read while `hearsAll`, until an event changes them. Bots are read each time, because what they show also
 * depends on their owners.
 */
export function accountsAtHand(queries: AccountQueries, hearsAll: () => boolean): Held<AccountQueries> {
  const known = new LRUCache<AccountId, AccountRecord>(growsTo(accountsAtHand_max))
  const { begin, forget, forgetAll } = readings()

  async function reading<Found>(ask: () => Promise<Found>, among: (found: Found) => readonly AccountRecord[]) {
    const read = begin()
    try {
      const found = await ask()
      for (const account of among(found))
        if (hearsAll() && !account.bot && read.isFresh(account.id)) known.set(account.id, account)
      return found
    } finally {
      read.end()
    }
  }

  // Cached as they are stored: they are prepared for display after this.
  async function findMany(accounts: readonly AccountId[]): Promise<readonly AccountRecord[]> {
    const held = accounts.flatMap((account) => known.get(account) ?? [])
    if (held.length === accounts.length) return held
    const missing = accounts.filter((account) => !known.has(account))
    const found = await reading(
      () => queries.findMany(missing),
      (all) => all,
    )
    return [...held, ...found]
  }

  return {
    queries: {
      ...queries,
      find: async (account) =>
        known.get(account) ??
        reading(
          () => queries.find(account),
          (found) => (found ? [found] : []),
        ),
      findMany,
      findManyAsStored: findMany,
    },
    forget({ stream }: RecordedEvent) {
      const category = categoryOf(stream)
      // An account's language is one of its settings.
      if (category !== 'account' && category !== 'user_settings') return
      const account = accountId(snowflake(idOf(stream)))
      forget(account)
      known.delete(account)
    },
    forgetAll() {
      forgetAll()
      known.clear()
    },
  }
}
