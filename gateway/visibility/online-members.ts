import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import type { PresenceExchange } from '../../application/ports/presence.ts'

/** The number of online members of each guild: those with at least one online session there. */
export class OnlineMembers {
  readonly #exchange: PresenceExchange | undefined
  /** How many sessions here make an account count as online in a guild. */
  readonly #sessions = new Map<AccountId, Map<GuildId, number>>()
  readonly #counts = new Map<GuildId, number>()

  /** Also counts members online at other Gateways, if presence is shared. */
  constructor(exchange?: PresenceExchange) {
    this.#exchange = exchange
  }

  count(guild: GuildId): number {
    return this.countHere(guild) + (this.#exchange?.onlineElsewhere(guild) ?? 0)
  }

  /** The members with a session at this Gateway. */
  countHere(guild: GuildId): number {
    return this.#counts.get(guild) ?? 0
  }

  /** The guilds that count an account as online because of sessions here; undefined if there are none. */
  guildsOf(account: AccountId): Iterable<GuildId> | undefined {
    return this.#sessions.get(account)?.keys()
  }

  /** Adds (1) or removes (-1) a session of an account. */
  add(guild: GuildId, account: AccountId, change: 1 | -1): void {
    const guilds = this.#sessions.get(account) ?? new Map<GuildId, number>()
    const before = guilds.get(guild) ?? 0
    const sessions = before + change
    if (sessions > 0) guilds.set(guild, sessions)
    else guilds.delete(guild)
    if (guilds.size > 0) this.#sessions.set(account, guilds)
    else this.#sessions.delete(account)
    if (before === 0 && sessions === 1) this.#memberChanged(guild, account, true)
    if (before === 1 && sessions === 0) this.#memberChanged(guild, account, false)
  }

  #memberChanged(guild: GuildId, account: AccountId, isOnline: boolean): void {
    const count = this.countHere(guild) + (isOnline ? 1 : -1)
    if (count > 0) this.#counts.set(guild, count)
    else this.#counts.delete(guild)
    this.#exchange?.memberChanged(guild, account, isOnline)
  }
}
