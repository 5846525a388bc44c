import type { AccountId, ChannelId } from '../ids/ids.ts'
import { event, type EventOf } from '../kernel/event-catalog.ts'
import type { Timestamp } from '../kernel/timestamp.ts'

const ofGroup = { channelId: 'text', recipients: 'list' } as const

/** The events of a group's channel. Kept forever: members are added, never renamed or reused. */
export const privateChannelEvents = {
  GroupCreated: event<GroupCreated>({ ...ofGroup, ownerId: 'text', createdAt: 'text' }),
  GroupRecipientAdded: event<GroupRecipientAdded>({ ...ofGroup, accountId: 'text', addedBy: 'text' }),
  GroupRecipientRemoved: event<GroupRecipientRemoved>({
    ...ofGroup,
    accountId: 'text',
    removedBy: 'text',
    wasOwner: 'flag',
  }),
  GroupOwnerChanged: event<GroupOwnerChanged>({ ...ofGroup, ownerId: 'text' }),
  GroupRenamed: event<GroupRenamed>(
    { ...ofGroup, name: 'text or null', changedBy: 'text', changeId: 'text' },
    { personal: ['name'] },
  ),
  GroupIconChanged: event<GroupIconChanged>({ ...ofGroup, icon: 'text or null', changedBy: 'text' }),
  GroupNickChanged: event<GroupNickChanged>(
    { ...ofGroup, accountId: 'text', nick: 'text or null', changedBy: 'text', changeId: 'text' },
    { personal: ['nick'] },
  ),
  GroupDeleted: event<GroupDeleted>({ channelId: 'text' }),
  /** All messages of an ended group are deleted. */
  GroupMessagesRemoved: event<GroupDeleted>({ channelId: 'text' }),
}

export type PrivateChannelEvent = EventOf<typeof privateChannelEvents>

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
