import type { AccountId, ChannelId, GuildId, InviteCode } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'

/** What can happen to an invite. Kept forever: members are added, never renamed or reused. */
export type InviteEvent =
  | { readonly type: 'InviteCreated'; readonly data: InviteTerms }
  | { readonly type: 'InviteRedeemed'; readonly data: InviteRedeemed }
  | { readonly type: 'InviteRedemptionReturned'; readonly data: InviteRedemptionReturned }
  | { readonly type: 'InviteDeleted'; readonly data: InviteDeleted }
  | { readonly type: 'GroupInviteCreated'; readonly data: GroupInviteCreated }
  | { readonly type: 'GroupInviteRedeemed'; readonly data: GroupInviteRedeemed }
  | { readonly type: 'GroupInviteDeleted'; readonly data: GroupInviteDeleted }
  | { readonly type: 'CustomCodeClaimed'; readonly data: CustomCodeClaim }
  | { readonly type: 'CustomCodeReleased'; readonly data: CustomCodeClaim }

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

export const inviteEvents: EventCatalog<InviteEvent> = {
  category: 'invite',
  events: {
    InviteCreated: { version: 1 },
    InviteRedeemed: { version: 1 },
    InviteRedemptionReturned: { version: 1 },
    InviteDeleted: { version: 1 },
    GroupInviteCreated: { version: 1 },
    GroupInviteRedeemed: { version: 1 },
    GroupInviteDeleted: { version: 1 },
    CustomCodeClaimed: { version: 1 },
    CustomCodeReleased: { version: 1 },
  },
}
