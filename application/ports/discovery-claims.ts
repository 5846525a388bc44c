import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'

/** An administrator tells others that they review an application. It locks nothing. */
export interface DiscoveryClaim {
  readonly guildId: GuildId
  readonly by: AccountId
  readonly until: Timestamp
}

/** Claims are no history: they end by themselves. Rejects with a subclass of Unavailable if Postgres can't be reached. */
export interface DiscoveryClaims {
  /** Takes or renews a claim, unless another administrator's still runs. Gives the one that runs now. */
  claim(wanted: DiscoveryClaim, now: Timestamp): Promise<DiscoveryClaim>
  /** Ends an administrator's own claim. Does nothing without one. */
  release(claimed: Pick<DiscoveryClaim, 'guildId' | 'by'>): Promise<void>
  /** The claims on these guilds' applications that run now, in no order. */
  running(guilds: readonly GuildId[], now: Timestamp): Promise<readonly DiscoveryClaim[]>
}
