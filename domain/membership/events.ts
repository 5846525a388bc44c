import type { AccountId, GuildId, InviteCode, RoleId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'

/** What can happen between one account and one guild. Kept forever: members are added, never renamed or reused. */
export type MembershipEvent =
  | { readonly type: 'MemberJoined'; readonly data: MemberJoined }
  | { readonly type: 'MemberLeft'; readonly data: { readonly guildId: GuildId; readonly accountId: AccountId } }
  | {
      readonly type: 'MemberRolesChanged'
      readonly data: { readonly guildId: GuildId; readonly accountId: AccountId; readonly roles: readonly RoleId[] }
    }
  | { readonly type: 'MemberBanned'; readonly data: MemberBanned }

export interface MemberJoined {
  readonly guildId: GuildId
  readonly accountId: AccountId
  readonly joinedAt: Timestamp
  /** Ends when the account's last session ends. */
  readonly temporary: boolean
  readonly admission: Admission
}

/** What let the account in. A custom invite admits with neither inviter nor code (contract part 1, Custom invite URL). */
export type Admission =
  | { readonly by: 'founding' }
  | {
      readonly by: 'invite'
      readonly code: InviteCode
      readonly inviterId: AccountId | null
      readonly redemptionId: string
    }
  | { readonly by: 'custom_invite' }

export interface MemberBanned {
  readonly guildId: GuildId
  readonly accountId: AccountId
  readonly moderatorId: AccountId
  /** Whether it ended a membership: a stranger can be banned too. */
  readonly wasMember: boolean
  readonly reason: string | null
  readonly bannedAt: Timestamp
  /** Null for a ban without an end. */
  readonly expiresAt: Timestamp | null
}

export const membershipEvents: EventCatalog<MembershipEvent> = {
  category: 'membership',
  events: {
    MemberJoined: { version: 1 },
    MemberLeft: { version: 1 },
    MemberRolesChanged: { version: 1 },
    MemberBanned: { version: 1 },
  },
}
