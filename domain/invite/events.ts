import type { AccountId, ChannelId, GuildId, InviteCode } from '../ids/ids.js'
import { event, type EventOf } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'

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

/** What can happen to an invite. Kept forever: members are added, never renamed or reused. */
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

/** What an invite offers, fixed when it is made. */
export interface InviteTerms {
  readonly code: InviteCode
  readonly guildId: GuildId
  readonly channelId: ChannelId
  readonly inviterId: AccountId
  /** 1-100; 0 for no limit. */
  readonly maxUses: number
  /** Seconds, up to 604800; 0 for no end. */
  readonly maxAge: number
  readonly temporary: boolean
  readonly createdAt: Timestamp
}

/** One use taken for one account. The account joins next; where it can't, the use comes back. */
export interface InviteRedeemed {
  readonly code: InviteCode
  readonly guildId: GuildId
  readonly accountId: AccountId
  readonly inviterId: AccountId
  readonly temporary: boolean
  readonly redemptionId: string
  /** Uses taken, this one included. */
  readonly uses: number
}

export interface InviteRedemptionReturned {
  readonly code: InviteCode
  readonly redemptionId: string
  /** Uses taken, without this one. */
  readonly uses: number
}

/** The record that was removed, with who removed it. */
export interface InviteDeleted extends InviteTerms {
  readonly uses: number
  readonly deletedBy: AccountId
}

/** What an invite to a private channel offers (type 1). */
export type GroupInviteTerms = Omit<InviteTerms, 'guildId'>

/** With everybody who took part in the channel then, so that whoever hears of it knows whom it concerns. */
export interface GroupInviteCreated extends GroupInviteTerms {
  readonly recipients: readonly AccountId[]
}

/** One use taken for one account, which is taken into the group next; where it can't be, the use comes back. */
export interface GroupInviteRedeemed {
  readonly code: InviteCode
  readonly channelId: ChannelId
  readonly accountId: AccountId
  readonly redemptionId: string
  /** Uses taken, this one included. */
  readonly uses: number
}

export interface GroupInviteDeleted extends GroupInviteCreated {
  readonly uses: number
  readonly deletedBy: AccountId
}

/**
 * A code that a guild has chosen, taken for it or given back. The guild's own stream says which claim it holds its code by: a
 * claim that no guild holds is given back, and giving back an older one leaves a newer in place.
 */
export interface CustomCodeClaim {
  /** In lower case. */
  readonly code: InviteCode
  readonly guildId: GuildId
  /** Counts the claims of this code, whoever made them, from 1. */
  readonly claim: number
}
