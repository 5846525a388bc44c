import type { AccountId, ChannelId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'

/** The events of a group's channel. Kept forever: members are added, never renamed or reused. */
export type PrivateChannelEvent =
  | { readonly type: 'GroupCreated'; readonly data: GroupCreated }
  | { readonly type: 'GroupRecipientAdded'; readonly data: GroupRecipientAdded }
  | { readonly type: 'GroupRecipientRemoved'; readonly data: GroupRecipientRemoved }
  | { readonly type: 'GroupOwnerChanged'; readonly data: GroupOwnerChanged }
  | { readonly type: 'GroupRenamed'; readonly data: GroupRenamed }
  | { readonly type: 'GroupIconChanged'; readonly data: GroupIconChanged }
  | { readonly type: 'GroupNickChanged'; readonly data: GroupNickChanged }
  | { readonly type: 'GroupDeleted'; readonly data: GroupDeleted }
  /** All messages of an ended group are deleted. */
  | { readonly type: 'GroupMessagesRemoved'; readonly data: GroupDeleted }

/** The common members of a group's events, so that readers know whom an event concerns. */
interface OfGroup {
  readonly channelId: ChannelId
  /** All recipients after the event, in the order in which they joined. */
  readonly recipients: readonly AccountId[]
}

export interface GroupCreated extends OfGroup {
  /** The first of the recipients. */
  readonly ownerId: AccountId
  readonly createdAt: Timestamp
}

export interface GroupRecipientAdded extends OfGroup {
  readonly accountId: AccountId
  /** The account itself if it joined by an invite. */
  readonly addedBy: AccountId
  /** The use of that invite; absent if somebody else added it. */
  readonly redemptionId?: string
}

export interface GroupRecipientRemoved extends OfGroup {
  readonly accountId: AccountId
  /** The account itself if it left. */
  readonly removedBy: AccountId
  /** Whether the owner left, so that the owner's sessions can be sent the channel as it was. */
  readonly wasOwner: boolean
  /** Absent if a system message must follow. */
  readonly silent?: true
}

export interface GroupOwnerChanged extends OfGroup {
  readonly ownerId: AccountId
}

export interface GroupRenamed extends OfGroup {
  /** 1-100 characters, personal to the account that chose it; null for none, and once that account is erased. */
  readonly name: string | null
  readonly changedBy: AccountId
  /** The request that changed it. */
  readonly changeId: string
}

export interface GroupIconChanged extends OfGroup {
  /** The hash of the image, after `a_` for an animated one; null for none. */
  readonly icon: string | null
  readonly changedBy: AccountId
}

export interface GroupNickChanged extends OfGroup {
  readonly accountId: AccountId
  /** 1-32 characters, personal to the account it names; null for none, and once that account is erased. */
  readonly nick: string | null
  readonly changedBy: AccountId
  readonly changeId: string
}

/** The last recipient has left. */
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
  // A nickname is personal to the account that it names, a name to the one that gave it.
  subjectOf: (_stream, data) => String(data['accountId'] ?? data['changedBy']),
}
