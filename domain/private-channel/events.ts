import type { AccountId, ChannelId } from '../ids/ids.js'
import { event, type EventOf } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'

const ofGroup = { channelId: 'text', recipients: 'list' } as const

/** What can happen to a group's channel. Kept forever: members are added, never renamed or reused. */
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
  /** Nothing is left of what was written in a group that is no more. */
  GroupMessagesRemoved: event<GroupDeleted>({ channelId: 'text' }),
}

export type PrivateChannelEvent = EventOf<typeof privateChannelEvents>

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
