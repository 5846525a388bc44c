import { LRUCache } from 'lru-cache'
import type { AccountId, ChannelId, GuildId, MessageId } from '../../domain/ids/ids.js'
import type { Membership } from '../../domain/membership/state.js'
import type { ChosenSettings } from '../../domain/user-settings/settings.js'
import { deletedAccount } from '../../application/wire-objects/identity/deleted-account.js'
import type { ThreadTally } from '../../application/wire-objects/conversations/thread-objects.js'
import type { Messages } from '../../application/ports/messages.js'
import type { Position } from '../../application/ports/event-store.js'
import type { AccountQueries, AccountRecord, ShowAccount } from '../../application/ports/queries/account-queries.js'
import type { AuditLogQueries } from '../../application/ports/queries/audit-log-queries.js'
import type { MemberQueries } from '../../application/ports/queries/member-queries.js'
import type { PrivateChannel, PrivateChannelQueries } from '../../application/ports/queries/private-channel-queries.js'
import type { PasskeyQueries, PasskeyRecord } from '../../application/ports/queries/passkey-queries.js'
import type { SessionSnapshot, SessionSnapshots } from '../../application/ports/queries/session-snapshot.js'
import type {
  UserGuildSettingsRecord,
  UserSettingsQueries,
} from '../../application/ports/queries/user-settings-queries.js'
import type { ActiveThread, FoundThread, ThreadLookups } from '../../application/ports/thread-lookups.js'
import { growsTo } from '../../domain/kernel/grows-to.js'
import type { AskedEntries, Entries, FoundPrivateChannel } from '../dispatches/dispatch.js'
import type { Ticker } from '../time/ticker.js'

export interface LookupSettings {
  readonly accounts: AccountQueries
  /** Called each time: the cache holds accounts as they were found. */
  readonly show: ShowAccount
  readonly passkeys: PasskeyQueries
  readonly userSettings: UserSettingsQueries
  readonly members: Pick<MemberQueries, 'among' | 'amongGuilds' | 'find' | 'named'>
  readonly privateChannels: Pick<PrivateChannelQueries, 'find' | 'findMany'>
  readonly auditLog: Pick<AuditLogQueries, 'findMany'>
  readonly lastMessages: Messages['lastOf']
  readonly threads: ThreadLookups
  readonly snapshots: SessionSnapshots
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
      return [id, record ? await this.persistently(() => this.#settings.show(record)) : deletedAccount(id)]
    }
    return new Map(await Promise.all(ids.map(shown)))
  }

  /** Looks accounts up, and caches those that have not changed meanwhile. */
  async #find(ids: readonly AccountId[]): Promise<readonly AccountRecord[]> {
    const asked = new Set(ids)
    this.#asked.add(asked)
    try {
      const records = await this.persistently(() => this.#settings.accounts.findMany(ids))
      for (const record of records) if (asked.has(record.id)) this.#accounts.set(record.id, record)
      return records
    } finally {
      this.#asked.delete(asked)
    }
  }

  /** The account's current passkeys. Rejects with `LookupFailed`. */
  passkeysOf(account: AccountId): Promise<readonly PasskeyRecord[]> {
    return this.persistently(() => this.#settings.passkeys.ofAccount(account))
  }

  /** The account's current settings; undefined for one that is gone. Rejects with `LookupFailed`. */
  settingsOf(account: AccountId): Promise<ChosenSettings | undefined> {
    return this.persistently(() => this.#settings.userSettings.find(account))
  }

  /** An account's current notification settings for a guild; undefined if nothing is chosen. Rejects with `LookupFailed`. */
  guildSettingsOf({
    accountId,
    forGuild,
  }: {
    readonly accountId: AccountId
    readonly forGuild: GuildId | null
  }): Promise<UserGuildSettingsRecord | undefined> {
    return this.persistently(() => this.#settings.userSettings.findForGuild(accountId, forGuild))
  }

  /** A current membership; undefined if it has ended. Rejects with `LookupFailed`. */
  memberOf({
    guildId,
    accountId,
  }: {
    readonly guildId: GuildId
    readonly accountId: AccountId
  }): Promise<Membership | undefined> {
    return this.persistently(() => this.#settings.members.find(guildId, accountId))
  }

  /** The current memberships of those of the accounts that are members of a guild. Rejects with `LookupFailed`. */
  membersOf(guild: GuildId, accounts: readonly AccountId[]): Promise<readonly Membership[]> {
    return this.persistently(() => this.#settings.members.among(guild, accounts))
  }

  /** The memberships of some accounts, at most 1000, in some guilds. Rejects with `LookupFailed`. */
  async membersOfGuilds(guilds: readonly GuildId[], accounts: readonly AccountId[]): Promise<readonly Membership[]> {
    if (guilds.length === 0 || accounts.length === 0) return []
    return this.persistently(() => this.#settings.members.amongGuilds(guilds, accounts))
  }

  /** The ids of members whose name begins with a text, as in MemberQueries. Rejects with `LookupFailed`. */
  namedIn(guild: GuildId, text: string, limit: number): Promise<readonly AccountId[]> {
    return this.persistently(() => this.#settings.members.named(guild, text, limit))
  }

  /** The current settings of some accounts, at most 1000. Rejects with `LookupFailed`. */
  settingsOfMany(accounts: readonly AccountId[]): Promise<ReadonlyMap<AccountId, ChosenSettings>> {
    return this.persistently(() => this.#settings.userSettings.findMany(accounts))
  }

  /** A private channel now, with its newest message; undefined if it is gone. Rejects with `LookupFailed`. */
  privateChannelOf(id: ChannelId): Promise<FoundPrivateChannel | undefined> {
    const { privateChannels, lastMessages } = this.#settings
    return this.persistently(async () => {
      const channel = await privateChannels.find(id)
      return channel && { channel, lastMessageId: (await lastMessages([id])).get(id) ?? null }
    })
  }

  /** Those of some private channels that exist now. Rejects with `LookupFailed`. */
  async privateChannelsOf(ids: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, PrivateChannel>> {
    if (ids.length === 0) return new Map()
    const found = await this.persistently(() => this.#settings.privateChannels.findMany(ids))
    return new Map(found.map((channel) => [channel.id, channel]))
  }

  /** Entries of a guild's audit log; those that are gone are left out. Rejects with `LookupFailed`. */
  async entriesOf({ guildId, ids }: AskedEntries): Promise<Entries> {
    const found = await this.persistently(() => this.#settings.auditLog.findMany(guildId, ids))
    return new Map(found.map((entry) => [entry.id, entry]))
  }

  /** A thread now; undefined if it was deleted. Rejects with `LookupFailed`. */
  threadOf(id: ChannelId): Promise<FoundThread | undefined> {
    return this.persistently(() => this.#settings.threads.find(id))
  }

  /** Those of some threads that exist now, with the members of private ones. Rejects with `LookupFailed`. */
  async heardBy(threads: readonly ChannelId[]): ReturnType<ThreadLookups['heardBy']> {
    return threads.length === 0 ? new Map() : this.persistently(() => this.#settings.threads.heardBy(threads))
  }

  /** The active threads shown to an account. Rejects with `LookupFailed`. */
  activeThreadsFor({ id, bot }: Pick<AccountRecord, 'id' | 'bot'>): Promise<readonly ActiveThread[]> {
    return this.persistently(() => this.#settings.threads.activeFor(id, bot))
  }

  /** The current message counts of some threads. Rejects with `LookupFailed`. */
  async talliesOf(threads: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, ThreadTally>> {
    return threads.length === 0 ? new Map() : this.persistently(() => this.#settings.threads.talliesOf(threads))
  }

  /** The newest message of each of several channels. Rejects with `LookupFailed`. */
  lastMessagesOf(channels: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, MessageId>> {
    return this.persistently(() => this.#settings.lastMessages(channels))
  }

  /** Drops a changed account from the cache. */
  forget(account: AccountId): void {
    this.#accounts.delete(account)
    for (const asked of this.#asked) asked.delete(account)
  }

  /** A snapshot that includes at least everything up to a position; undefined for an account that is gone. */
  snapshot(account: AccountId, from: Position): Promise<SessionSnapshot | undefined> {
    return this.persistently(async () => {
      const snapshot = await this.#settings.snapshots.take(account)
      if (snapshot && snapshot.position < from) throw new LookupFailed(`the read models stand before ${from}`)
      return snapshot && { ...snapshot, account: await this.#settings.show(snapshot.account) }
    })
  }

  /** Retries for a while if there is no answer, then rejects with `LookupFailed`. */
  async persistently<Result>(task: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await task()
      } catch (error) {
        if (attempt === attempts_max) throw new LookupFailed('the read models do not answer', { cause: error })
      }
      await this.#settings.ticker.wait(firstRetry_ms * 2 ** (attempt - 1))
    }
  }
}
