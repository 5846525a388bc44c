import type { AccountId, GuildId, InviteCode, RoleId } from '../ids/ids.ts'
import { event, type EventOf, type Upcast } from '../kernel/event-catalog.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { PermissionMask } from '../permissions/permission-bits.ts'
import type { MemberAttributes, MemberTexts } from './state.ts'

/** Early bans recorded neither addresses nor deletions of messages. */
const bannedWithoutAddresses: Upcast = (data) => ({
  ...data,
  email: null,
  ip: null,
  deleteMessageSeconds: null,
  deleteMessageDays: null,
})

/** The events of one account in one guild. Kept forever: members are added, never renamed or reused. */
export const membershipEvents = {
  MemberJoined: event<MemberJoined>(
    { guildId: 'text', accountId: 'text', joinedAt: 'text', temporary: 'flag', admission: 'object' },
    { personalReason: true },
  ),
  /** `leftAt` is absent in events from before timeouts existed. */
  MemberLeft: event<{ readonly guildId: GuildId; readonly accountId: AccountId; readonly leftAt?: Timestamp }>({
    guildId: 'text',
    accountId: 'text',
  }),
  MemberChanged: event<MemberChanged>(
    {
      guildId: 'text',
      accountId: 'text',
      before: 'object',
      after: 'object',
      textsBefore: 'object or null',
      textsAfter: 'object or null',
      timeoutReason: 'text or null',
    },
    { personal: ['textsBefore', 'textsAfter', 'timeoutReason'], personalReason: true },
  ),
  MemberRolesChanged: event<{
    readonly guildId: GuildId
    readonly accountId: AccountId
    readonly roles: readonly RoleId[]
    /** The roles held before; absent in the first released events. */
    readonly before?: readonly RoleId[]
  }>({ guildId: 'text', accountId: 'text', roles: 'list' }, { personalReason: true }),
  MemberKicked: event<{ readonly guildId: GuildId; readonly accountId: AccountId; readonly kickedAt: Timestamp }>(
    { guildId: 'text', accountId: 'text', kickedAt: 'text' },
    { personalReason: true },
  ),
  MemberBanned: event<MemberBanned, readonly [MemberBannedWithoutAddresses]>(
    {
      guildId: 'text',
      accountId: 'text',
      moderatorId: 'text',
      wasMember: 'flag',
      reason: 'text or null',
      bannedAt: 'text',
      expiresAt: 'text or null',
      email: 'text or null',
      ip: 'text or null',
      deleteMessageSeconds: 'number or null',
      deleteMessageDays: 'number or null',
    },
    { upcasts: [bannedWithoutAddresses], personal: ['reason', 'email', 'ip'], personalReason: true },
  ),
  MemberUnbanned: event<MemberUnbanned>(
    {
      guildId: 'text',
      accountId: 'text',
      moderatorId: 'text',
      reason: 'text or null',
      bannedAt: 'text',
      expiresAt: 'text or null',
      ip: 'text or null',
    },
    { personal: ['reason', 'ip'], personalReason: true },
  ),
}

export type MembershipEvent = EventOf<typeof membershipEvents>

export interface MemberJoined {
  readonly guildId: GuildId
  readonly accountId: AccountId
  readonly joinedAt: Timestamp
  /** Ends with the account's last session, unless the account got a role or the guild before. */
  readonly temporary: boolean
  readonly admission: Admission
  /** A timeout that was still running when an earlier membership ended, and continues; absent for none. */
  readonly communicationDisabledUntil?: Timestamp
}

/** The changes of a member: the facts that differ, before and after, and all texts if one of them differs. */
export interface MemberChanged {
  readonly guildId: GuildId
  readonly accountId: AccountId
  readonly before: Partial<MemberFacts>
  readonly after: Partial<MemberFacts>
  /** Personal: null if no text differs, and once the account's key is destroyed. */
  readonly textsBefore: MemberTexts | null
  /** Personal, the same. */
  readonly textsAfter: MemberTexts | null
  /** The reason of a timeout, if given. Personal. */
  readonly timeoutReason: string | null
}

/** The attributes of a member that are not personal. */
export type MemberFacts = Omit<MemberAttributes, keyof MemberTexts>

/** How the account was admitted. A custom invite admits with neither inviter nor code. */
export type Admission =
  | { readonly by: 'founding' }
  /** The single community of an instance, which every registered account joins. */
  | { readonly by: 'community' }
  | {
      readonly by: 'invite'
      readonly code: InviteCode
      readonly inviterId: AccountId | null
      readonly redemptionId: string
    }
  | { readonly by: 'custom_invite' }
  /** By the guild directory. */
  | { readonly by: 'discovery' }
  /** By an administrator of the instance. */
  | { readonly by: 'administration' }
  | {
      readonly by: 'bot_installation'
      readonly installerId: AccountId
      /** The role created for the bot, which it holds from the start; null for a bot that asks for no permissions. */
      readonly role: BotRole | null
    }

/** The initial role of a bot. */
export interface BotRole {
  readonly id: RoleId
  /** 1-100 characters: the application's name. */
  readonly name: string
  readonly permissions: PermissionMask
}

export interface MemberBanned {
  readonly guildId: GuildId
  readonly accountId: AccountId
  readonly moderatorId: AccountId
  /** Whether it ended a membership: an account that is not a member can be banned too. */
  readonly wasMember: boolean
  /** Personal. */
  readonly reason: string | null
  readonly bannedAt: Timestamp
  /** Null for a permanent ban. */
  readonly expiresAt: Timestamp | null
  /** The account's address at the time of the ban, in lower case. Personal. */
  readonly email: string | null
  /** The address where the account's last session began. Personal. */
  readonly ip: string | null
  /** The requested deletion of messages; null if not given. */
  readonly deleteMessageSeconds: number | null
  readonly deleteMessageDays: number | null
}

/** Version 1. */
export type MemberBannedWithoutAddresses = Omit<
  MemberBanned,
  'email' | 'ip' | 'deleteMessageSeconds' | 'deleteMessageDays'
>

/** The ban that was lifted, and its account. */
export interface MemberUnbanned {
  readonly guildId: GuildId
  readonly accountId: AccountId
  readonly moderatorId: AccountId
  /** Personal. */
  readonly reason: string | null
  readonly bannedAt: Timestamp
  readonly expiresAt: Timestamp | null
  /** Personal. */
  readonly ip: string | null
}
