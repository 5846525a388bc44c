import type { AccountId, GuildId, InviteCode, RoleId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { PermissionMask } from '../permissions/permission-bits.js'

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
  /** The one community of an instance, which everybody is in who registers. */
  | { readonly by: 'community' }
  | {
      readonly by: 'invite'
      readonly code: InviteCode
      readonly inviterId: AccountId | null
      readonly redemptionId: string
    }
  | { readonly by: 'custom_invite' }
  | {
      readonly by: 'bot_installation'
      readonly installerId: AccountId
      /** The role that is made for the bot, which it holds from the beginning; null for a bot that asks for no permissions. */
      readonly role: BotRole | null
    }

/** What a bot's own role begins as. */
export interface BotRole {
  readonly id: RoleId
  /** 1-100 characters: that of the application. */
  readonly name: string
  readonly permissions: PermissionMask
}

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
