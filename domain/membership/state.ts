import type { AccountId, GuildId, RoleId } from '../ids/ids.js'
import { msOf, type Timestamp } from '../kernel/timestamp.js'

/** Where one account stands in one guild. A ban ends the membership and outlives it; so does a timeout. */
export type MembershipState =
  | { readonly status: 'absent'; readonly timeout?: KeptTimeout }
  | ({ readonly status: 'member' } & Membership)
  | ({ readonly status: 'banned'; readonly timeout?: KeptTimeout } & Ban)

export interface Membership extends MemberAttributes {
  readonly guildId: GuildId
  readonly accountId: AccountId
  readonly joinedAt: Timestamp
  /** Whether the membership ends with the account's last session: never of who was given a role. */
  readonly temporary: boolean
  /** The roles held besides everyone's; at most 250. */
  readonly roles: readonly RoleId[]
}

/** What can be said of a member besides its roles (reference gateway 3.6 and 5.4). */
export interface MemberAttributes extends MemberTexts {
  readonly mute: boolean
  readonly deaf: boolean
  /** Until when the member is timed out: null for never, an instant that has passed for not any more. */
  readonly communicationDisabledUntil: Timestamp | null
  /**
   * What the images of the member in this guild are called: hashes, after `a_` where they move. The images are the member's own and go
   * with it; a hash says nothing without them.
   */
  readonly avatar: string | null
  readonly banner: string | null
  /** 24 bits of RGB. */
  readonly accentColor: number | null
  /** 1 AVATAR_UNSET, 2 BANNER_UNSET. */
  readonly profileFlags: number
  /** 0 no preference, 1 prefers to be mentioned, 2 prefers not to be. */
  readonly mentionFlags: number
}

/** The attributes that are flags: the audit log does not tell of these (reference gateway 3.14). */
export const memberFlags = ['profileFlags', 'mentionFlags'] as const satisfies readonly (keyof MemberAttributes)[]

/** The words that are about a person, or the person's own. */
export interface MemberTexts {
  /** 1-32 characters. */
  readonly nick: string | null
  /** 1-320 characters. */
  readonly bio: string | null
  /** 1-40 characters. */
  readonly pronouns: string | null
}

/** A ban as it stands on record, whether or not it has ended. */
export interface Ban {
  readonly moderatorId: AccountId
  /** At most 512 characters; null where none was given, and once the account's key is destroyed. */
  readonly reason: string | null
  readonly bannedAt: Timestamp
  /** Null for a ban without an end. */
  readonly expiresAt: Timestamp | null
  /** Where the account last came from; null where that is not known, and once its key is destroyed. */
  readonly ip: string | null
}

/** A timeout that was not over when the membership ended. */
export interface KeptTimeout {
  readonly until: Timestamp
  /** When the membership ended. */
  readonly since: Timestamp
}

/** What a member begins with. */
export const initialAttributes: MemberAttributes = {
  nick: null,
  bio: null,
  pronouns: null,
  mute: false,
  deaf: false,
  communicationDisabledUntil: null,
  avatar: null,
  banner: null,
  accentColor: null,
  profileFlags: 0,
  mentionFlags: 0,
}

/** 365.25 days: the longest timeout, and how long one that was not over outlives the membership (reference gateway 5.4). */
export const year_ms = 365.25 * 24 * 60 * 60 * 1000

/**
 * Whether a member is timed out at an instant: it may then neither send, edit nor react, change its nickname nor use threads
 * (403 COMMUNICATION_DISABLED), while its permissions stay what they are (reference gateway 4.7).
 */
export function isTimedOut(
  { communicationDisabledUntil }: Pick<MemberAttributes, 'communicationDisabledUntil'>,
  now: Timestamp,
): boolean {
  return communicationDisabledUntil !== null && msOf(now) < msOf(communicationDisabledUntil)
}

/** Whether a ban keeps the account out at an instant. */
export function isBanned(state: MembershipState, now: Timestamp): boolean {
  return state.status === 'banned' && (state.expiresAt === null || msOf(now) < msOf(state.expiresAt))
}
