import type { AccountId, GuildId, InviteCode, RoleId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Admission } from '../../../domain/membership/events.ts'
import type { Membership } from '../../../domain/membership/state.ts'

/** A guild that two accounts are both in. */
export interface SharedGuild {
  readonly guildId: GuildId
  /** The other account's nickname there; null for none. */
  readonly nick: string | null
  readonly memberCount: number
}

/** A page of members in ascending order of account ids. */
export interface MemberPage {
  readonly after?: AccountId
  /** 1-1000. */
  readonly limit: number
}

/** Which members an administrator asks for. What is left out bounds nothing. */
export interface WantedMembers extends MemberPage {
  /** What the username, the display name or the nickname in the guild begins with, in any case of letters; not empty. */
  readonly name?: string | undefined
  /** Those whom an invite admitted, or `custom` for any custom invite URL. */
  readonly invite?: InviteCode | 'custom' | undefined
}

/** A member, and how it came into the guild. */
export interface AdmittedMember {
  readonly member: Membership
  readonly admission: Admission
}

/** What lists of members are ordered by. */
export interface RolledMember {
  readonly accountId: AccountId
  /** May name roles that are deleted. */
  readonly roles: readonly RoleId[]
  readonly nick: string | null
  /** The account's name without a nickname: the global name, else the username. */
  readonly accountName: string
}

/** One account in one guild. */
export type MemberName = Pick<Membership, 'guildId' | 'accountId'>

/** How an account came into a guild. */
export interface AdmissionRecord {
  readonly admission: Admission
  readonly admittedAt: Timestamp
}

/** Members of guilds that exist. */
export interface MemberQueries {
  find(guild: GuildId, account: AccountId): Promise<Membership | undefined>
  /** The memberships of those of the accounts that are members, in no order. */
  among(guild: GuildId, accounts: readonly AccountId[]): Promise<readonly Membership[]>
  /** The memberships of some accounts, at most 1000, in some guilds, in no order. */
  amongGuilds(guilds: readonly GuildId[], accounts: readonly AccountId[]): Promise<readonly Membership[]>
  /**
   * The ids of members whose name begins with a text, case-insensitive, ascending, at most `limit`. The name is the nickname,
   * else the global name, else the username. An empty text matches everybody.
   */
  named(guild: GuildId, text: string, limit: number): Promise<readonly AccountId[]>
  page(guild: GuildId, page: MemberPage): Promise<readonly Membership[]>
  /** The same page, of which only this is read. */
  roll(guild: GuildId, page: MemberPage): Promise<readonly RolledMember[]>
  /** A page of the members that match all of it, by account id, with their admissions. */
  wanted(guild: GuildId, wanted: WantedMembers): Promise<readonly AdmittedMember[]>
  /** Members of any guild with a temporary membership, by guild and account, after `after`; at most `limit`. */
  temporary(limit: number, after?: MemberName): Promise<readonly MemberName[]>
  /** How a member joined; undefined for an account that is not a member. */
  admissionOf(guild: GuildId, account: AccountId): Promise<AdmissionRecord | undefined>
  /** How many members a guild has. */
  countOf(guild: GuildId): Promise<number>
  /** How many guilds an account is in. */
  guildCountOf(account: AccountId): Promise<number>
  /** The account's memberships, latest first: the order of its folder layout. */
  ofAccount(account: AccountId): Promise<readonly Membership[]>
  /** The guilds that two accounts share, by id; for the same account twice, all its guilds. */
  sharedGuilds(one: AccountId, other: AccountId): Promise<readonly SharedGuild[]>
}
