import type { AccountId, ChannelId, GuildId, InviteCode } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'

/** What can happen to an invite. Kept forever: members are added, never renamed or reused. */
export type InviteEvent =
  | { readonly type: 'InviteCreated'; readonly data: InviteTerms }
  | { readonly type: 'InviteRedeemed'; readonly data: InviteRedeemed }
  | { readonly type: 'InviteRedemptionReturned'; readonly data: InviteRedemptionReturned }
  | { readonly type: 'InviteDeleted'; readonly data: InviteDeleted }

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

export const inviteEvents: EventCatalog<InviteEvent> = {
  category: 'invite',
  events: {
    InviteCreated: { version: 1 },
    InviteRedeemed: { version: 1 },
    InviteRedemptionReturned: { version: 1 },
    InviteDeleted: { version: 1 },
  },
}
