import { LRUCache } from 'lru-cache'
import { deletedIdentity } from '../../domain/account/deleted-identity.js'
import { newProfile } from '../../domain/account/profile.js'
import type { AccountId, GuildId } from '../../domain/ids/ids.js'
import { timestamp } from '../../domain/kernel/timestamp.js'
import type { ChosenSettings } from '../../domain/user-settings/settings.js'
import type { Position } from '../../application/ports/event-store.js'
import type { AccountQueries, AccountRecord } from '../../application/ports/queries/account-queries.js'
import type { PasskeyQueries, PasskeyRecord } from '../../application/ports/queries/passkey-queries.js'
import type { SessionSnapshot, SessionSnapshots } from '../../application/ports/queries/session-snapshot.js'
import type {
  UserGuildSettingsRecord,
  UserSettingsQueries,
} from '../../application/ports/queries/user-settings-queries.js'
import type { Ticker } from '../time/ticker.js'

export interface LookupSettings {
  readonly accounts: AccountQueries
  readonly passkeys: PasskeyQueries
  readonly userSettings: UserSettingsQueries
  readonly snapshots: SessionSnapshots
  readonly ticker: Ticker
  readonly cachedAccounts_max: number
}

const attempts_max = 5
const firstRetry_ms = 250
/** What AccountQueries takes in one question. */
const accountsPerQuery_max = 1000

/** Thrown where the read models did not answer, or not for long enough back. */
export class LookupFailed extends Error {
  override readonly name = 'LookupFailed'
}

/**
 * What telling of events takes from the read models. It tries again for a while before it gives up, since a session can only
 * be told of an event or be ended.
 */
export class Lookups {
  readonly #settings: LookupSettings
  readonly #accounts: LRUCache<AccountId, AccountRecord>

  constructor(settings: LookupSettings) {
    this.#settings = settings
    this.#accounts = new LRUCache({ max: settings.cachedAccounts_max })
  }

  /** The records of accounts; for one that does not exist, that of a deleted account. Rejects with `LookupFailed`. */
  async accountsOf(ids: readonly AccountId[]): Promise<ReadonlyMap<AccountId, AccountRecord>> {
    const found = new Map(ids.map((id) => [id, this.#accounts.get(id)]))
    const missing = ids.filter((id) => found.get(id) === undefined)
    for (let from = 0; from < missing.length; from += accountsPerQuery_max) {
      const asked = missing.slice(from, from + accountsPerQuery_max)
      for (const record of await this.#persistently(() => this.#settings.accounts.findMany(asked))) {
        this.#accounts.set(record.id, record)
        found.set(record.id, record)
      }
    }
    return new Map(ids.map((id) => [id, found.get(id) ?? deletedAccount(id)]))
  }

  /** The passkeys of an account now. Rejects with `LookupFailed`. */
  passkeysOf(account: AccountId): Promise<readonly PasskeyRecord[]> {
    return this.#persistently(() => this.#settings.passkeys.ofAccount(account))
  }

  /** What an account has chosen now; undefined for one that is gone. Rejects with `LookupFailed`. */
  settingsOf(account: AccountId): Promise<ChosenSettings | undefined> {
    return this.#persistently(() => this.#settings.userSettings.find(account))
  }

  /** What an account wants to hear of a guild now; undefined where nothing is chosen. Rejects with `LookupFailed`. */
  guildSettingsOf({
    accountId,
    forGuild,
  }: {
    readonly accountId: AccountId
    readonly forGuild: GuildId | null
  }): Promise<UserGuildSettingsRecord | undefined> {
    return this.#persistently(() => this.#settings.userSettings.findForGuild(accountId, forGuild))
  }

  /** Forgets an account whose record has changed. */
  forget(account: AccountId): void {
    this.#accounts.delete(account)
  }

  /** A snapshot that holds at least everything up to a position; undefined for an account that is gone. */
  snapshot(account: AccountId, from: Position): Promise<SessionSnapshot | undefined> {
    return this.#persistently(async () => {
      const snapshot = await this.#settings.snapshots.take(account)
      if (snapshot && snapshot.position < from) throw new LookupFailed(`the read models stand before ${from}`)
      return snapshot
    })
  }

  async #persistently<Result>(task: () => Promise<Result>): Promise<Result> {
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

/** What is shown of an account that is gone (reference gateway 3.5). */
export function deletedAccount(id: AccountId): AccountRecord {
  return {
    id,
    username: deletedIdentity.username,
    discriminator: deletedIdentity.discriminator,
    profile: newProfile(deletedIdentity.globalName),
    email: null,
    emailVerified: false,
    emailBounced: false,
    isErased: true,
    hasPassword: false,
    hasSingleSignOn: false,
    passwordChangedAt: null,
    dateOfBirth: null,
    locale: 'en-US',
    flags: '0',
    bot: false,
    botOwnerId: null,
    acls: [],
    registeredAt: timestamp(0),
    termsAcceptedAt: null,
    sharesVoiceActivity: false,
    voiceActivityChosenAt: null,
    secondFactors: { totp: false, passkeys_count: 0, usesPasskeys: false },
  }
}
