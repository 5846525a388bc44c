import type { AccountId, GuildId, RoleId } from '../ids/ids.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { Admission } from './events.js'

export type MembershipCommand = JoinGuild | LeaveGuild | SetMemberRoles | BanMember

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
}

export interface SetMemberRoles {
  readonly type: 'SetMemberRoles'
  readonly roles: readonly RoleId[]
}

export interface BanMember {
  readonly type: 'BanMember'
  readonly guildId: GuildId
  readonly accountId: AccountId
  readonly moderatorId: AccountId
  readonly reason: string | null
  readonly expiresAt: Timestamp | null
  readonly now: Timestamp
}
