import type { AccountId, GuildId } from '../../domain/ids/ids.js'

/** How many members of each guild are online: those with at least one session there that is. */
export class OnlineMembers {
  readonly #sessions = new Map<GuildId, Map<AccountId, number>>()

  count(guild: GuildId): number {
    return this.#sessions.get(guild)?.size ?? 0
  }

  /** Counts a session of an account in (1) or out (-1). */
  add(guild: GuildId, account: AccountId, change: 1 | -1): void {
    const accounts = this.#sessions.get(guild) ?? new Map<AccountId, number>()
    const sessions = (accounts.get(account) ?? 0) + change
    if (sessions > 0) accounts.set(account, sessions)
    else accounts.delete(account)
    if (accounts.size > 0) this.#sessions.set(guild, accounts)
    else this.#sessions.delete(guild)
  }
}
