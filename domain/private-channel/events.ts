import type { AccountId, ChannelId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'

/** What can happen to a group's channel. Kept forever: members are added, never renamed or reused. */
export type PrivateChannelEvent =
  | { readonly type: 'GroupCreated'; readonly data: GroupCreated }
  | { readonly type: 'GroupRecipientAdded'; readonly data: GroupRecipientAdded }
  | { readonly type: 'GroupRecipientRemoved'; readonly data: GroupRecipientRemoved }
  | { readonly type: 'GroupOwnerChanged'; readonly data: GroupOwnerChanged }
  | { readonly type: 'GroupRenamed'; readonly data: GroupRenamed }
  | { readonly type: 'GroupIconChanged'; readonly data: GroupIconChanged }
  | { readonly type: 'GroupNickChanged'; readonly data: GroupNickChanged }
  | { readonly type: 'GroupDeleted'; readonly data: GroupDeleted }
  /** Nothing is left of what was written in a group that is no more. */
  | { readonly type: 'GroupMessagesRemoved'; readonly data: GroupDeleted }

/** What every event of a group says, so that whoever hears of it knows whom it concerns. */
interface OfGroup {
  readonly channelId: ChannelId
  /** Everybody who takes part after it, the one who came first first. */
  readonly recipients: readonly AccountId[]
}

export interface GroupCreated extends OfGroup {
  /** The first of the recipients. */
  readonly ownerId: AccountId
  readonly createdAt: Timestamp
}

export interface GroupRecipientAdded extends OfGroup {
  readonly accountId: AccountId
  /** The account itself where it came by an invite. */
  readonly addedBy: AccountId
  /** The use of that invite; missing where somebody else added it. */
  readonly redemptionId?: string
}

export interface GroupRecipientRemoved extends OfGroup {
  readonly accountId: AccountId
  /** The account itself where it left. */
  readonly removedBy: AccountId
  /** Whether it is the owner who left, so that the channel that its sessions lose is told as it was. */
  readonly wasOwner: boolean
  /** Missing where a message in the group is to tell of it. */
  readonly silent?: true
}

export interface GroupOwnerChanged extends OfGroup {
  readonly ownerId: AccountId
}

export interface GroupRenamed extends OfGroup {
  /** 1-100 characters, personal to who chose it; null for none, and once that account is erased. */
  readonly name: string | null
  readonly changedBy: AccountId
  /** Names the request that changed it. */
  readonly changeId: string
}

export interface GroupIconChanged extends OfGroup {
  /** What the image is called: a hash, after `a_` where it moves; null for none. */
  readonly icon: string | null
  readonly changedBy: AccountId
}

export interface GroupNickChanged extends OfGroup {
  readonly accountId: AccountId
  /** 1-32 characters, personal to whom it names; null for none, and once that account is erased. */
  readonly nick: string | null
  readonly changedBy: AccountId
  readonly changeId: string
}

/** The last one has left. */
export interface GroupDeleted {
  readonly channelId: ChannelId
}

export const privateChannelEvents: EventCatalog<PrivateChannelEvent> = {
  category: 'private_channel',
  events: {
    GroupCreated: { version: 1 },
    GroupRecipientAdded: { version: 1 },
    GroupRecipientRemoved: { version: 1 },
    GroupOwnerChanged: { version: 1 },
    GroupRenamed: { version: 1, personal: ['name'] },
    GroupIconChanged: { version: 1 },
    GroupNickChanged: { version: 1, personal: ['nick'] },
    GroupDeleted: { version: 1 },
    GroupMessagesRemoved: { version: 1 },
  },
  // A nick is of the account that it names, a name of the one that gave it.
  subjectOf: (_stream, data) => String(data['accountId'] ?? data['changedBy']),
}
