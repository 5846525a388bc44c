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
  const kept = new KeptAccounts(hearsAll)

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

class KeptAccounts {
  readonly #hearsAll: () => boolean
  readonly #accounts = new LRUCache<AccountId, AccountRecord>(growsTo(accountsAtHand_max))
  /** By the hash of the token. */
  readonly #sessions = new LRUCache<string, AccountId>(growsTo(accountsAtHand_max))
  readonly #readings = readings()

  constructor(hearsAll: () => boolean) {
    this.#hearsAll = hearsAll
  }

  account(id: AccountId): AccountRecord | undefined {
    return this.#hearsAll() ? this.#accounts.get(id) : undefined
  }

  ofSession(tokenHash: string): AccountRecord | undefined {
    const holder = this.#sessions.get(tokenHash)
    return holder === undefined ? undefined : this.account(holder)
  }

  /** Keeps the accounts of what was found, and that the session is that of one, unless an event came meanwhile. */
  async read<Found>(
    ask: () => Promise<Found>,
    among: (found: Found) => readonly AccountRecord[],
    session?: string,
  ): Promise<Found> {
    const { isFresh, end } = this.#readings.begin()
    try {
      const found = await ask()
      for (const account of among(found)) {
        if (!this.#hearsAll() || account.bot || !isFresh(account.id)) continue
        this.#accounts.set(account.id, account)
        if (session !== undefined && isFresh(session)) this.#sessions.set(session, account.id)
      }
      return found
    } finally {
      end()
    }
  }

  forget(event: RecordedEvent): void {
    const changed = changedBy(event)
    if (!changed) return
    this.#readings.forget(changed.account)
    this.#accounts.delete(changed.account)
    for (const session of changed.ended) {
      this.#readings.forget(session)
      this.#sessions.delete(session)
    }
  }

  forgetAll(): void {
    this.#readings.forgetAll()
    this.#accounts.clear()
    this.#sessions.clear()
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
