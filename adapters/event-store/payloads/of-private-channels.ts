import type { DirectChannelEvent } from '../../../domain/direct-channel/events.js'
import type { PrivateChannelEvent } from '../../../domain/private-channel/events.js'
import type { MembersOf } from './member-kinds.js'

const view = { channelId: 'text', accountId: 'text', otherId: 'text' } as const

export const directChannel: MembersOf<DirectChannelEvent> = {
  DirectChannelOpened: { ...view, openedAt: 'text' },
  DirectChannelShown: view,
  DirectChannelHidden: view,
}

const ofGroup = { channelId: 'text', recipients: 'list' } as const

export const privateChannel: MembersOf<PrivateChannelEvent> = {
  GroupCreated: { ...ofGroup, ownerId: 'text', createdAt: 'text' },
  GroupRecipientAdded: { ...ofGroup, accountId: 'text', addedBy: 'text' },
  GroupRecipientRemoved: { ...ofGroup, accountId: 'text', removedBy: 'text', wasOwner: 'flag' },
  GroupOwnerChanged: { ...ofGroup, ownerId: 'text' },
  GroupRenamed: { ...ofGroup, name: 'text or null', changedBy: 'text', changeId: 'text' },
  GroupIconChanged: { ...ofGroup, icon: 'text or null', changedBy: 'text' },
  GroupNickChanged: { ...ofGroup, accountId: 'text', nick: 'text or null', changedBy: 'text', changeId: 'text' },
  GroupDeleted: { channelId: 'text' },
  GroupMessagesRemoved: { channelId: 'text' },
}
