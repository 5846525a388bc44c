import { LRUCache } from 'lru-cache'
import type { AccountId, ChannelId, GuildId } from '../../domain/ids/ids.ts'
import { growsTo } from '../../domain/kernel/grows-to.ts'
import type { Membership } from '../../domain/membership/state.ts'
import { deletedAccount } from '../../application/wire-objects/identity/deleted-account.ts'
import type { ThreadTally } from '../../application/wire-objects/conversations/thread-objects.ts'
import type { AllQueries } from '../../application/ports.ts'
import type { Position } from '../../domain/kernel/position.ts'
import type { Messages } from '../../application/ports/messages.ts'
import type { AccountRecord, ShowAccount } from '../../application/ports/queries/account-queries.ts'
import type { PrivateChannel } from '../../application/ports/queries/private-channel-queries.ts'
import type { SessionSnapshot, SessionSnapshots } from '../../application/ports/queries/session-snapshot.ts'
import type { AccountNotes } from '../../application/ports/account-notes.ts'
import type { ReadStates } from '../../application/ports/read-states.ts'
import type { ThreadLookups } from '../../application/ports/thread-lookups.ts'
import type { Ticker } from '../ticker.ts'

/** Everything that can be looked up: the queries of all read models, and what is found with messages. */
export interface Sources extends Omit<AllQueries, 'threads'> {
  readonly threads: ThreadLookups
  /** The newest message and the last pin of each of some channels. */
  readonly lastMessages: Messages['lastOf']
  /** What an account has read. */
  readonly readStates: Pick<ReadStates, 'of' | 'forgetLeft'>
  /** What accounts note about accounts. */
  readonly notes: Pick<AccountNotes, 'of' | 'find'>
  readonly snapshots: SessionSnapshots
}

export interface LookupSettings {
  readonly sources: Sources
  /** Called each time: the cache holds accounts as they were found. */
  readonly show: ShowAccount
  readonly ticker: Ticker
  readonly cachedAccounts_max: number
}

const attempts_max = 5
const firstRetry_ms = 250
/** AccountQueries takes this many accounts in one query. */
const accountsPerQuery_max = 1000

/** The read models did not answer, or did not have the requested position. */
export class LookupFailed extends Error {
  override readonly name = 'LookupFailed'
}

/**
 * What dispatching events reads from the read models. It retries for a while before it gives up, because a session must either be
 * notified of an event or be ended.
 */
export class Lookups {
  readonly #settings: LookupSettings
  readonly #accounts: LRUCache<AccountId, AccountRecord>
  /** Accounts being looked up. One that changes meanwhile is taken out, since the lookup may find its earlier state. */
  readonly #asked = new Set<Set<AccountId>>()

  constructor(settings: LookupSettings) {
    this.#settings = settings
    this.#accounts = new LRUCache(growsTo(settings.cachedAccounts_max))
  }

  /** The records of accounts; for one that does not exist, that of a deleted account. Rejects with `LookupFailed`. */
  async accountsOf(ids: readonly AccountId[]): Promise<ReadonlyMap<AccountId, AccountRecord>> {
    const found = new Map(ids.map((id) => [id, this.#accounts.get(id)]))
    const missing = ids.filter((id) => found.get(id) === undefined)
    for (let from = 0; from < missing.length; from += accountsPerQuery_max) {
      for (const record of await this.#find(missing.slice(from, from + accountsPerQuery_max)))
        found.set(record.id, record)
    }
    const shown = async (id: AccountId): Promise<[AccountId, AccountRecord]> => {
      const record = found.get(id)
      return [id, record ? await this.ask(() => this.#settings.show(record)) : deletedAccount(id)]
    }
    return new Map(await Promise.all(ids.map(shown)))
  }

  /** Looks accounts up, and caches those that have not changed meanwhile. */
  async #find(ids: readonly AccountId[]): Promise<readonly AccountRecord[]> {
    const asked = new Set(ids)
    this.#asked.add(asked)
    try {
      const records = await this.ask(({ accounts }) => accounts.findMany(ids))
      for (const record of records) if (asked.has(record.id)) this.#accounts.set(record.id, record)
      return records
    } finally {
      this.#asked.delete(asked)
    }
  }

  /** The memberships of some accounts, at most 1000, in some guilds. Rejects with `LookupFailed`. */
  async membersOfGuilds(guilds: readonly GuildId[], accounts: readonly AccountId[]): Promise<readonly Membership[]> {
    if (guilds.length === 0 || accounts.length === 0) return []
    return this.ask(({ members }) => members.amongGuilds(guilds, accounts))
  }

  /** Those of some private channels that exist now. Rejects with `LookupFailed`. */
  async privateChannelsOf(ids: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, PrivateChannel>> {
    if (ids.length === 0) return new Map()
    const found = await this.ask(({ privateChannels }) => privateChannels.findMany(ids))
    return new Map(found.map((channel) => [channel.id, channel]))
  }

  /** Those of some threads that exist now, with the members of private ones. Rejects with `LookupFailed`. */
  async heardBy(threads: readonly ChannelId[]): ReturnType<ThreadLookups['heardBy']> {
    return threads.length === 0 ? new Map() : this.ask((sources) => sources.threads.heardBy(threads))
  }

  /** The current message counts of some threads. Rejects with `LookupFailed`. */
  async talliesOf(threads: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, ThreadTally>> {
    return threads.length === 0 ? new Map() : this.ask((sources) => sources.threads.talliesOf(threads))
  }

  /** Drops a changed account from the cache. */
  forget(account: AccountId): void {
    this.#accounts.delete(account)
    for (const asked of this.#asked) asked.delete(account)
  }

  /** A snapshot that includes at least everything up to a position; undefined for an account that is gone. */
  snapshot(account: AccountId, from: Position): Promise<SessionSnapshot | undefined> {
    return this.ask(async ({ snapshots }) => {
      const snapshot = await snapshots.take(account)
      if (snapshot && snapshot.position < from) throw new LookupFailed(`the read models stand before ${from}`)
      return snapshot && { ...snapshot, account: await this.#settings.show(snapshot.account) }
    })
  }

  /**
   * Asks one question. Asks it again for a while where the answer does not come; then rejects with `LookupFailed`. Read models hold
   * at least every event that the Gateway was told of.
   */
  async ask<Answer>(question: (sources: Sources) => Promise<Answer>): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await question(this.#settings.sources)
      } catch (error) {
        if (attempt === attempts_max) throw new LookupFailed('the read models do not answer', { cause: error })
      }
      await this.#settings.ticker.wait(firstRetry_ms * 2 ** (attempt - 1))
    }
  }
}
