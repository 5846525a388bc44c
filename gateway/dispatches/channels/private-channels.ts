import { privateChannelObject } from '../../../application/wire-objects/conversations/private-channel-objects.js'
import { partialUserObject } from '../../../application/wire-objects/identity/user-objects.js'
import type { PrivateChannel } from '../../../application/ports/queries/private-channel-queries.js'
import type { DirectChannelEvent } from '../../../domain/direct-channel/events.js'
import type { AccountId, ChannelId } from '../../../domain/ids/ids.js'
import type { PrivateChannelEvent } from '../../../domain/private-channel/events.js'
import type { Known } from '../../events/known-event.js'
import type { DispatchName } from '../dispatch-names.js'
import { same, untold, type Dispatch, type Scene, type Telling } from '../dispatch.js'

type ChannelDispatch = Extract<DispatchName, 'CHANNEL_CREATE' | 'CHANNEL_UPDATE' | 'CHANNEL_DELETE'>

/** A group changed, or a recipient came or went. */
type GroupChange = Known<
  | 'GroupCreated'
  | 'GroupRecipientAdded'
  | 'GroupRecipientRemoved'
  | 'GroupOwnerChanged'
  | 'GroupRenamed'
  | 'GroupIconChanged'
  | 'GroupNickChanged'
>

/** An event of a direct message or group, to the accounts it concerns. */
export function privateChannelChanged(event: Known<(DirectChannelEvent | PrivateChannelEvent)['type']>): Telling {
  switch (event.type) {
    case 'DirectChannelOpened':
    case 'DirectChannelShown':
    case 'DirectChannelHidden':
      return directChannelChanged(event)
    case 'GroupCreated':
    case 'GroupRecipientAdded':
    case 'GroupRecipientRemoved':
    case 'GroupOwnerChanged':
    case 'GroupRenamed':
    case 'GroupIconChanged':
    case 'GroupNickChanged':
      return groupChanged(event)
    // The last recipient was notified when it left.
    case 'GroupDeleted':
    case 'GroupMessagesRemoved':
      return untold
  }
}

/** A direct message was opened or closed for one of the two, who alone is notified: CHANNEL_CREATE or CHANNEL_DELETE. */
function directChannelChanged({ type, data }: Known<DirectChannelEvent['type']>): Telling {
  const { channelId, accountId, otherId } = data
  const t = type === 'DirectChannelHidden' ? 'CHANNEL_DELETE' : 'CHANNEL_CREATE'
  const known = { ...blank(channelId, 'direct'), recipients: [accountId, otherId] }
  return {
    accounts: [otherId],
    privateChannelOf: channelId,
    dispatches: (scene) => [toldOf(t, known, accountId, scene)],
  }
}

/**
 * An event of a group, to all its recipients: CHANNEL_UPDATE. A new recipient gets CHANNEL_CREATE and a removed one
 * CHANNEL_DELETE; the others get CHANNEL_RECIPIENT_ADD and CHANNEL_RECIPIENT_REMOVE (reference gateway 2.3, 2.4 and 5.9).
 */
function groupChanged(event: GroupChange): Telling {
  const { channelId, recipients } = event.data
  const gone = event.type === 'GroupRecipientRemoved' ? [event.data.accountId] : []
  return {
    accounts: [...recipients, ...gone],
    privateChannelOf: channelId,
    dispatches: (scene) => {
      const channel = { ...(scene.privateChannel?.channel ?? blank(channelId, 'group')), recipients }
      return dispatchesOf(event, channel, scene)
    },
  }
}

function dispatchesOf(event: GroupChange, channel: PrivateChannel, scene: Scene): readonly Dispatch[] {
  const { recipients } = channel
  switch (event.type) {
    case 'GroupCreated':
      return recipients.map((id) => toldOf('CHANNEL_CREATE', channel, id, scene))
    case 'GroupRecipientAdded': {
      const { accountId } = event.data
      const others = recipients.filter((id) => id !== accountId)
      return [
        toldOf('CHANNEL_CREATE', channel, accountId, scene),
        ...others.map((id) => recipientTold('CHANNEL_RECIPIENT_ADD', event, id, scene)),
      ]
    }
    case 'GroupRecipientRemoved': {
      const { accountId, wasOwner } = event.data
      const asItWas = wasOwner ? { ...channel, ownerId: accountId } : channel
      return [
        ...recipients.map((id) => recipientTold('CHANNEL_RECIPIENT_REMOVE', event, id, scene)),
        toldOf('CHANNEL_DELETE', asItWas, accountId, scene),
      ]
    }
    case 'GroupOwnerChanged':
    case 'GroupRenamed':
    case 'GroupIconChanged':
    case 'GroupNickChanged':
      return recipients.map((id) => toldOf('CHANNEL_UPDATE', channel, id, scene))
  }
}

/** The channel as one of its recipients sees it, to that recipient's sessions. */
function toldOf(t: ChannelDispatch, channel: PrivateChannel, viewer: AccountId, scene: Scene): Dispatch {
  const { account, privateChannel } = scene
  const parts = { channel, account, lastMessageId: privateChannel?.lastMessageId ?? null }
  const sessions = scene.sessionsOf(viewer)
  return { t, guildId: null, audience: { kind: 'sessions', sessions }, body: same(privateChannelObject(parts, viewer)) }
}

function recipientTold(
  t: 'CHANNEL_RECIPIENT_ADD' | 'CHANNEL_RECIPIENT_REMOVE',
  { data: { channelId, accountId } }: Known<'GroupRecipientAdded' | 'GroupRecipientRemoved'>,
  listener: AccountId,
  scene: Scene,
): Dispatch {
  const body = same({ channel_id: channelId, user: partialUserObject(scene.account(accountId)) })
  return { t, guildId: null, audience: { kind: 'sessions', sessions: scene.sessionsOf(listener) }, body }
}

/** What is known of a channel that was gone when it was looked up. */
function blank(id: ChannelId, kind: 'direct' | 'group'): PrivateChannel {
  return { id, kind, recipients: [], closedFor: [], ownerId: null, name: null, icon: null, nicks: {} }
}
