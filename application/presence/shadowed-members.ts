import type { AccountId, GuildId } from '../../domain/ids/ids.ts'

export interface ShadowedMembersSettings {
  /** The guilds that count the account as online because of a session at this Gateway. */
  readonly onlineIn: (account: AccountId) => Iterable<GuildId> | undefined
  /** Whether a Gateway with a lower id counts the account. */
  readonly isCountedBefore: (account: AccountId) => boolean
  readonly onGuild: (guild: GuildId) => void
}

/**
 * The accounts that are online here but counted elsewhere. If an account is online at several Gateways, the one with the lowest
 * id counts it in its guilds, so the numbers of all Gateways add up. So a Gateway keeps the guilds of its own accounts only, and
 * nobody needs to know all members of a guild.
 */
export class ShadowedMembers {
  readonly #settings: ShadowedMembersSettings
  /** Never more than the accounts online here. */
  readonly #accounts = new Set<AccountId>()
  readonly #counts = new Map<GuildId, number>()

  constructor(settings: ShadowedMembersSettings) {
    this.#settings = settings
  }

  /** How many members online here are counted elsewhere. */
  count(guild: GuildId): number {
    return this.#counts.get(guild) ?? 0
  }

  /** Notes that a guild now counts an account as online here, or no longer does. */
  memberChanged(guild: GuildId, account: AccountId, isOnline: boolean): void {
    if (!this.#accounts.has(account)) {
      if (isOnline) this.reconsider(account)
      return
    }
    this.#add(guild, isOnline ? 1 : -1)
    if (!this.#settings.onlineIn(account)) this.#accounts.delete(account)
  }

  /** Notes that the account may have come to another Gateway, or left it. */
  reconsider(account: AccountId): void {
    const guilds = this.#settings.onlineIn(account)
    if (!guilds) return
    const isShadowed = this.#settings.isCountedBefore(account)
    if (isShadowed === this.#accounts.has(account)) return
    if (isShadowed) this.#accounts.add(account)
    else this.#accounts.delete(account)
    for (const guild of guilds) this.#add(guild, isShadowed ? 1 : -1)
  }

  #add(guild: GuildId, change: 1 | -1): void {
    const count = this.count(guild) + change
    if (count > 0) this.#counts.set(guild, count)
    else this.#counts.delete(guild)
    this.#settings.onGuild(guild)
  }
}
