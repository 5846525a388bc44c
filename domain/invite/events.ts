import type { AccountId, ChannelId, GuildId, InviteCode } from '../ids/ids.ts'
import { event, type EventOf } from '../kernel/event-catalog.ts'
import type { Timestamp } from '../kernel/timestamp.ts'

const groupInviteTerms = {
  code: 'text',
  channelId: 'text',
  inviterId: 'text',
  maxUses: 'number',
  maxAge: 'number',
  temporary: 'flag',
  createdAt: 'text',
} as const
const inviteTerms = { ...groupInviteTerms, guildId: 'text' } as const
const groupInvite = { ...groupInviteTerms, recipients: 'list' } as const

/** The events of an invite. Kept forever: members are added, never renamed or reused. */
export const inviteEvents = {
  InviteCreated: event<InviteTerms>(inviteTerms),
  InviteRedeemed: event<InviteRedeemed>({
    code: 'text',
    guildId: 'text',
    accountId: 'text',
    inviterId: 'text',
    temporary: 'flag',
    redemptionId: 'text',
    uses: 'number',
  }),
  InviteRedemptionReturned: event<InviteRedemptionReturned>({ code: 'text', redemptionId: 'text', uses: 'number' }),
  InviteDeleted: event<InviteDeleted>({ ...inviteTerms, uses: 'number', deletedBy: 'text' }),
  GroupInviteCreated: event<GroupInviteCreated>(groupInvite),
  GroupInviteRedeemed: event<GroupInviteRedeemed>({
    code: 'text',
    channelId: 'text',
    accountId: 'text',
    redemptionId: 'text',
    uses: 'number',
  }),
  GroupInviteDeleted: event<GroupInviteDeleted>({ ...groupInvite, uses: 'number', deletedBy: 'text' }),
  CustomCodeClaimed: event<CustomCodeClaim>({ code: 'text', guildId: 'text', claim: 'number' }),
  CustomCodeReleased: event<CustomCodeClaim>({ code: 'text', guildId: 'text', claim: 'number' }),
}

export type InviteEvent = EventOf<typeof inviteEvents>

/** The terms of an invite, fixed when it is made. */
export interface InviteTerms {
  readonly code: InviteCode
  readonly guildId: GuildId
  readonly channelId: ChannelId
  readonly inviterId: AccountId
  /** 1-100; 0 for no limit. */
  readonly maxUses: number
  /** Seconds, up to 604800; 0 for an invite that never expires. */
  readonly maxAge: number
  readonly temporary: boolean
  readonly createdAt: Timestamp
}

/** One use taken for one account. The account joins next; if it can't, the use is returned. */
export interface InviteRedeemed {
  readonly code: InviteCode
  readonly guildId: GuildId
  readonly accountId: AccountId
  readonly inviterId: AccountId
  readonly temporary: boolean
  readonly redemptionId: string
  /** The number of uses taken, including this one. */
  readonly uses: number
}

export interface InviteRedemptionReturned {
  readonly code: InviteCode
  readonly redemptionId: string
  /** The number of uses taken, without this one. */
  readonly uses: number
}

/** The deleted record, and who deleted it. */
export interface InviteDeleted extends InviteTerms {
  readonly uses: number
  readonly deletedBy: AccountId
}

/** The terms of an invite to a private channel (type 1). */
export type GroupInviteTerms = Omit<InviteTerms, 'guildId'>

/** With the channel's recipients at that time, so that readers of the event know whom it concerns. */
export interface GroupInviteCreated extends GroupInviteTerms {
  readonly recipients: readonly AccountId[]
}

/** One use taken for one account, which is added to the group next; if that is not possible, the use is returned. */
export interface GroupInviteRedeemed {
  readonly code: InviteCode
  readonly channelId: ChannelId
  readonly accountId: AccountId
  readonly redemptionId: string
  /** The number of uses taken, including this one. */
  readonly uses: number
}

export interface GroupInviteDeleted extends GroupInviteCreated {
  readonly uses: number
  readonly deletedBy: AccountId
}

/**
 * A guild's chosen code was claimed or returned. The guild's own stream says by which claim it holds its code. A claim that no
 * guild holds is returned, and returning an older one leaves a newer one.
 */
export interface CustomCodeClaim {
  /** In lower case. */
  readonly code: InviteCode
  readonly guildId: GuildId
  /** The number of this claim of the code, by any guild, from 1. */
  readonly claim: number
}
