import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import type { CustomStatus, Status } from '../../domain/user-settings/settings.ts'

/** Who is online now. This is not history: it lives in the memory of Gateways and is lost with them. */
export interface Presence {
  /** Whether the account has a Gateway session that is not offline. */
  isPresent(account: AccountId): Promise<boolean>
  /**
   * Whether it hears of all sessions. False while the connection between the processes is broken, and before any Gateway was
   * heard. An account that seems absent meanwhile may be present.
   */
  hearsAll(): boolean
  /** How many members of each guild are online; 0 for none. */
  onlineCounts(guilds: readonly GuildId[]): Promise<ReadonlyMap<GuildId, number>>
}

/** The presence that a session reports. */
export interface PresenceFields {
  /** A client's `offline` means `invisible`: an existing session is never offline. */
  readonly status: Status
  readonly afk: boolean
  readonly mobile: boolean
}

/** A Gateway session that is not offline, as its own account sees it. */
export interface PresentSession extends PresenceFields {
  /** 32 hex characters. */
  readonly id: string
  /** The session's own custom status, instead of the one that its account has chosen. */
  readonly customStatus?: CustomStatus | null
}

/** Presence by the sessions of one Gateway. */
export interface LocalPresence {
  /** The account's sessions at this Gateway that are not offline. */
  sessionsOf(account: AccountId): readonly PresentSession[]
  /** The guilds that count the account as online because of a session at this Gateway; undefined if none does. */
  onlineIn(account: AccountId): Iterable<GuildId> | undefined
  /** How many accounts a guild counts as online because of sessions at this Gateway. */
  onlineCount(guild: GuildId): number
}

/** How a Gateway shares presence with the instance's other Gateways, and with other processes that ask for it. */
export interface PresenceExchange {
  /**
   * Starts to share this Gateway's presence. Called once, before anything changes here. Calls `onSessionsElsewhere` after an
   * account's sessions at other Gateways may have changed.
   */
  join(local: LocalPresence, onSessionsElsewhere: (account: AccountId) => void): void
  /** The account's sessions here came, went or changed. */
  accountChanged(account: AccountId): void
  /** The guild now counts the account as online because of a session here, or no longer does. */
  memberChanged(guild: GuildId, account: AccountId, isOnline: boolean): void
  /**
   * The difference between the instance's count and the count here: members online only at other Gateways, minus members online
   * here whom another Gateway already counts.
   */
  onlineElsewhere(guild: GuildId): number
  /** Whether the account has a session at another Gateway that is not offline. */
  isPresentElsewhere(account: AccountId): Promise<boolean>
  /** Whether the other Gateways are heard, as in `Presence.hearsAll`. */
  hearsOthers(): boolean
  /** The account's sessions at other Gateways that are not offline, at most 100 of each Gateway; tens of milliseconds late. */
  sessionsElsewhere(account: AccountId): readonly PresentSession[]
  /** Announces that this Gateway has no sessions any more. Safe to repeat; nothing is shared afterwards. */
  leave(): void
}
