import type { AccountId, GuildId, RoleId } from '../ids/ids.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { Admission } from './events.js'
import type { MemberAttributes } from './state.js'

export type MembershipCommand =
  | JoinGuild
  | LeaveGuild
  | EndTemporaryMembership
  | ChangeMember
  | AddMemberRole
  | RemoveMemberRole
  | KickMember
  | BanMember
  | UnbanMember

export interface JoinGuild {
  readonly type: 'JoinGuild'
  readonly guildId: GuildId
  readonly accountId: AccountId
  readonly temporary: boolean
  readonly admission: Admission
  readonly now: Timestamp
}

export interface LeaveGuild {
  readonly type: 'LeaveGuild'
  readonly guildId: GuildId
  /** The owner cannot leave (contract part 1, Leave guild). */
  readonly isOwner: boolean
  readonly now: Timestamp
}

/** Ends a membership that was to last no longer than the account's sessions, once none is left. */
export interface EndTemporaryMembership {
  readonly type: 'EndTemporaryMembership'
  /** Who owns the guild by now stays. */
  readonly isOwner: boolean
  readonly now: Timestamp
}

/** Changes what is said of a member, and its roles where they are given. Who may do so was checked before. */
export interface ChangeMember {
  readonly type: 'ChangeMember'
  readonly changes: Partial<MemberAttributes>
  /** Roles to give and to take; what else is given or taken meanwhile stays so. */
  readonly roles?: RoleMoves | undefined
  /** Whether it is the member itself that asks. */
  readonly isOwn: boolean
  /** 1-512 characters. */
  readonly timeoutReason: string | null
  readonly now: Timestamp
}

export interface RoleMoves {
  readonly give: readonly RoleId[]
  readonly take: readonly RoleId[]
}

export interface AddMemberRole {
  readonly type: 'AddMemberRole'
  readonly roleId: RoleId
}

export interface RemoveMemberRole {
  readonly type: 'RemoveMemberRole'
  readonly roleId: RoleId
}

export interface KickMember {
  readonly type: 'KickMember'
  readonly now: Timestamp
}

export interface BanMember {
  readonly type: 'BanMember'
  readonly guildId: GuildId
  readonly accountId: AccountId
  readonly moderatorId: AccountId
  readonly reason: string | null
  readonly expiresAt: Timestamp | null
  /** Of the account, in lower case. */
  readonly email: string | null
  /** Where the account's last session began. */
  readonly ip: string | null
  /** 0-604800, as the request asked; null where it did not. */
  readonly deleteMessageSeconds: number | null
  /** 0-7, as the request asked; null where it did not. */
  readonly deleteMessageDays: number | null
  readonly now: Timestamp
}

export interface UnbanMember {
  readonly type: 'UnbanMember'
  readonly guildId: GuildId
  readonly accountId: AccountId
  readonly now: Timestamp
}
