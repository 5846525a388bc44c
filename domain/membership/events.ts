import type { AccountId, GuildId, InviteCode, RoleId } from '../ids/ids.js'
import { event, type EventOf, type Upcast } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { PermissionMask } from '../permissions/permission-bits.js'
import type { MemberAttributes, MemberTexts } from './state.js'

/** Bans knew neither address nor deletions of messages at first. */
const bannedWithoutAddresses: Upcast = (data) => ({
  ...data,
  email: null,
  ip: null,
  deleteMessageSeconds: null,
  deleteMessageDays: null,
})

/** What can happen between one account and one guild. Kept forever: members are added, never renamed or reused. */
export const membershipEvents = {
  MemberJoined: event<MemberJoined>(
    { guildId: 'text', accountId: 'text', joinedAt: 'text', temporary: 'flag', admission: 'object' },
    { personalReason: true },
  ),
  /** `leftAt` is missing where there were no timeouts yet. */
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
    /** The roles held before; missing in what was released first. */
    readonly before?: readonly RoleId[]
  }>({ guildId: 'text', accountId: 'text', roles: 'list' }, { personalReason: true }),
  MemberKicked: event<{ readonly guildId: GuildId; readonly accountId: AccountId; readonly kickedAt: Timestamp }>(
    { guildId: 'text', accountId: 'text', kickedAt: 'text' },
    { personalReason: true },
  ),
  MemberBanned: event<MemberBanned>(
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
  /** Ends when the account's last session ends, unless the account was given a role or the guild before. */
  readonly temporary: boolean
  readonly admission: Admission
  /** A timeout that was not over when an earlier membership ended, and goes on; missing where there is none. */
  readonly communicationDisabledUntil?: Timestamp
}

/** What is different about a member: the facts that differ, before and after, and all texts where one of them differs. */
export interface MemberChanged {
  readonly guildId: GuildId
  readonly accountId: AccountId
  readonly before: Partial<MemberFacts>
  readonly after: Partial<MemberFacts>
  /** Personal: null where no text is different, and once the account's key is destroyed. */
  readonly textsBefore: MemberTexts | null
  /** Personal, likewise. */
  readonly textsAfter: MemberTexts | null
  /** Why the member was timed out, where that was said. Personal. */
  readonly timeoutReason: string | null
}

/** What is not personal of a member's attributes. */
export type MemberFacts = Omit<MemberAttributes, keyof MemberTexts>

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
  /** Personal. */
  readonly reason: string | null
  readonly bannedAt: Timestamp
  /** Null for a ban without an end. */
  readonly expiresAt: Timestamp | null
  /** Of the account when it was banned, in lower case. Personal. */
  readonly email: string | null
  /** Where the account's last session began. Personal. */
  readonly ip: string | null
  /** What the request asked to have deleted; null where it did not ask. */
  readonly deleteMessageSeconds: number | null
  readonly deleteMessageDays: number | null
}

/** The ban that was lifted, and of whom. */
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
