import type { AccountId, GuildId, RoleId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { Admission } from './events.ts'
import type { MemberAttributes } from './state.ts'

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
  /** The owner cannot leave. */
  readonly isOwner: boolean
  readonly now: Timestamp
}

/** Ends a temporary membership once the account has no session left. */
export interface EndTemporaryMembership {
  readonly type: 'EndTemporaryMembership'
  /** An account that owns the guild by now stays a member. */
  readonly isOwner: boolean
  readonly now: Timestamp
}

/** Changes a member's attributes, and its roles if given. The caller has checked the permissions. */
export interface ChangeMember {
  readonly type: 'ChangeMember'
  readonly changes: Partial<MemberAttributes>
  /** Roles to add and to remove; concurrent changes of other roles are kept. */
  readonly roles?: RoleMoves | undefined
  /** Whether the member itself asks. */
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
  /** The account's address, in lower case. */
  readonly email: string | null
  /** The address where the account's last session began. */
  readonly ip: string | null
  /** 0-604800, as requested; null if not given. */
  readonly deleteMessageSeconds: number | null
  /** 0-7, as requested; null if not given. */
  readonly deleteMessageDays: number | null
  readonly now: Timestamp
}

export interface UnbanMember {
  readonly type: 'UnbanMember'
  readonly guildId: GuildId
  readonly accountId: AccountId
  readonly now: Timestamp
}
