import { LRUCache } from 'lru-cache'
import { endedSessions } from '../../domain/account/ended-sessions.js'
import type { AccountEvent } from '../../domain/account/events.js'
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
 * Caches the accounts read while `hearsAll`, and whose sessions are whose, until an event changes them. Bots are read each time,
 * because what they show also depends on their owners. A token without a session is looked up each time too, so guessing fills no
 * memory.
 */
export function accountsAtHand(queries: AccountQueries, hearsAll: () => boolean): Held<AccountQueries> {
  const known = new LRUCache<AccountId, AccountRecord>(growsTo(accountsAtHand_max))
  const sessions = new LRUCache<string, AccountId>(growsTo(accountsAtHand_max))
  const { begin, forget, forgetAll } = readings()

  async function reading<Found>(
    ask: () => Promise<Found>,
    among: (found: Found) => readonly AccountRecord[],
    session?: string,
  ) {
    const read = begin()
    try {
      const found = await ask()
      for (const account of among(found)) {
        if (!hearsAll() || account.bot || !read.isFresh(account.id)) continue
        known.set(account.id, account)
        if (session !== undefined && read.isFresh(session)) sessions.set(session, account.id)
      }
      return found
    } finally {
      read.end()
    }
  }

  const knownNow = (account: AccountId): AccountRecord | undefined => (hearsAll() ? known.get(account) : undefined)
  const single = (found: AccountRecord | undefined): readonly AccountRecord[] => (found ? [found] : [])

  // Cached as they are stored: they are prepared for display after this.
  async function findMany(accounts: readonly AccountId[]): Promise<readonly AccountRecord[]> {
    const held = accounts.flatMap((account) => knownNow(account) ?? [])
    if (held.length === accounts.length) return held
    const missing = held.length === 0 ? accounts : accounts.filter((account) => !known.has(account))
    const found = await reading(
      () => queries.findMany(missing),
      (all) => all,
    )
    return [...held, ...found]
  }

  return {
    queries: {
      ...queries,
      find: async (account) => knownNow(account) ?? reading(() => queries.find(account), single),
      findMany,
      findManyAsStored: findMany,
      bySession: async (tokenHash) => {
        const holder = sessions.get(tokenHash)
        const held = holder === undefined ? undefined : knownNow(holder)
        return held ?? reading(() => queries.bySession(tokenHash), single, tokenHash)
      },
    },
    forget(event: RecordedEvent) {
      const changed = changedBy(event)
      if (!changed) return
      forget(changed.account)
      known.delete(changed.account)
      for (const session of changed.ended) {
        forget(session)
        sessions.delete(session)
      }
    },
    forgetAll() {
      forgetAll()
      known.clear()
      sessions.clear()
    },
  }
}

/** The account that an event may change, and its sessions that it ends. */
function changedBy({ stream, type, data }: RecordedEvent) {
  const category = categoryOf(stream)
  // An account's language is one of its settings.
  if (category !== 'account' && category !== 'user_settings') return undefined
  // The codec has checked that the data matches the type.
  return { account: accountId(snowflake(idOf(stream))), ended: endedSessions({ type, data } as AccountEvent) }
}
