import type { AccountId, GuildId, RoleId } from '../ids/ids.ts'
import { msOf, type Timestamp } from '../kernel/timestamp.ts'

/** The relation of one account to one guild. A ban ends the membership and outlives it; so does a timeout. */
export type MembershipState =
  | { readonly status: 'absent'; readonly timeout?: KeptTimeout }
  | ({ readonly status: 'member' } & Membership)
  | ({ readonly status: 'banned'; readonly timeout?: KeptTimeout } & Ban)

export interface Membership extends MemberAttributes {
  readonly guildId: GuildId
  readonly accountId: AccountId
  readonly joinedAt: Timestamp
  /** Whether the membership ends with the account's last session; never for a member with a role. */
  readonly temporary: boolean
  /** The roles held besides the everyone role; at most 250. */
  readonly roles: readonly RoleId[]
}

/** The attributes of a member besides its roles. */
export interface MemberAttributes extends MemberTexts {
  readonly mute: boolean
  readonly deaf: boolean
  /** When the timeout ends: null if there never was one, an instant in the past if it is over. */
  readonly communicationDisabledUntil: Timestamp | null
  /**
   * The hashes of the member's images in this guild, after `a_` for an animated one. The images belong to the member and are
   * removed with it; a hash reveals nothing without them.
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

/** The flag attributes, which the audit log leaves out. */
export const memberFlags = ['profileFlags', 'mentionFlags'] as const satisfies readonly (keyof MemberAttributes)[]

/** Texts about a person, or by that person. */
export interface MemberTexts {
  /** 1-32 characters. */
  readonly nick: string | null
  /** 1-320 characters. */
  readonly bio: string | null
  /** 1-40 characters. */
  readonly pronouns: string | null
}

/** A recorded ban, whether or not it has ended. */
export interface Ban {
  readonly moderatorId: AccountId
  /** At most 512 characters; null for none, and once the account's key is destroyed. */
  readonly reason: string | null
  readonly bannedAt: Timestamp
  /** Null for a permanent ban. */
  readonly expiresAt: Timestamp | null
  /** The account's last address; null if unknown, and once its key is destroyed. */
  readonly ip: string | null
}

/** A timeout that was still running when the membership ended. */
export interface KeptTimeout {
  readonly until: Timestamp
  /** When the membership ended. */
  readonly since: Timestamp
}

/** The attributes of a new member. */
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

/** 365.25 days: the longest timeout, and how long a running one outlives the membership. */
export const year_ms = 365.25 * 24 * 60 * 60 * 1000

/**
 * Whether a member is timed out at an instant. It can then neither send, edit nor react, change its nickname nor use
 * threads (403 COMMUNICATION_DISABLED); its permissions stay unchanged.
 */
export function isTimedOut(
  { communicationDisabledUntil }: Pick<MemberAttributes, 'communicationDisabledUntil'>,
  now: Timestamp,
): boolean {
  return communicationDisabledUntil !== null && msOf(now) < msOf(communicationDisabledUntil)
}

/** Whether a ban is in force at an instant. */
export function isBanned(state: MembershipState, now: Timestamp): boolean {
  return state.status === 'banned' && (state.expiresAt === null || msOf(now) < msOf(state.expiresAt))
}
