import type { AccountId, GuildId } from '../../domain/ids/ids.js'
import type { CustomStatus } from '../../domain/user-settings/settings.js'

/** Who is there now. Not history: it lives in the memory of Gateways and is forgotten with them. */
export interface Presence {
  /** Whether the account has a Gateway session that is not offline. */
  isPresent(account: AccountId): Promise<boolean>
  /**
   * Whether it hears of all that there are: not while the way between the processes is broken, and not before any Gateway was
   * heard. Who seems absent meanwhile may be there.
   */
  hearsAll(): boolean
  /** How many members of each guild are online; 0 where nobody is. */
  onlineCounts(guilds: readonly GuildId[]): Promise<ReadonlyMap<GuildId, number>>
}

/** A client's `offline` is `invisible`: a session that is there is never offline. */
export const presenceStatuses = ['online', 'idle', 'dnd', 'invisible'] as const
export type PresenceStatus = (typeof presenceStatuses)[number]

/** What a session says of itself. */
export interface PresenceFields {
  readonly status: PresenceStatus
  readonly afk: boolean
  readonly mobile: boolean
}

/** A Gateway session that is not offline, as its own account sees it (reference gateway 1.17, `sessions`). */
export interface PresentSession extends PresenceFields {
  /** 32 hex characters. */
  readonly id: string
  /** What it says of itself in place of what its account has chosen. */
  readonly customStatus?: CustomStatus | null
}

/** Who is there as the sessions of one Gateway say. */
export interface LocalPresence {
  /** The account's sessions here that are not offline. */
  sessionsOf(account: AccountId): readonly PresentSession[]
  /** The guilds that count the account as online because of a session here; undefined where none does. */
  onlineIn(account: AccountId): Iterable<GuildId> | undefined
  /** How many accounts a guild counts as online because of sessions here. */
  onlineCount(guild: GuildId): number
}

/** How a Gateway shares presence with the other Gateways of its instance, and with who asks for it elsewhere. */
export interface PresenceExchange {
  /**
   * Begins to tell of this Gateway. Once, and before anything changes there. `onSessionsElsewhere` is told of accounts whose
   * sessions at other Gateways may have changed, after they did.
   */
  join(local: LocalPresence, onSessionsElsewhere: (account: AccountId) => void): void
  /** Sessions of the account came, went or changed here. */
  accountChanged(account: AccountId): void
  /** The guild now counts the account as online because of a session here, or no longer does. */
  memberChanged(guild: GuildId, account: AccountId, isOnline: boolean): void
  /**
   * What makes the count of the instance out of the count here: members online at other Gateways alone, less members whom
   * another Gateway counts already.
   */
  onlineElsewhere(guild: GuildId): number
  /** Whether the account has a session at another Gateway that is not offline. */
  isPresentElsewhere(account: AccountId): Promise<boolean>
  /** Whether the others are heard: as `Presence.hearsAll`. */
  hearsOthers(): boolean
  /** The account's sessions at other Gateways that are not offline, at most 100 of each; late by some tens of milliseconds. */
  sessionsElsewhere(account: AccountId): readonly PresentSession[]
  /** Says that no session here is any more. Safe to repeat; nothing is told afterwards. */
  leave(): void
}
