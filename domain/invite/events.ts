import type { AccountId, ChannelId, GuildId, InviteCode } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'

/** The events of an invite. Kept forever: members are added, never renamed or reused. */
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
 * guild holds is returned, and returning an older one leaves a newer one in place.
 */
export interface CustomCodeClaim {
  /** In lower case. */
  readonly code: InviteCode
  readonly guildId: GuildId
  /** The number of this claim of the code, by any guild, from 1. */
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
