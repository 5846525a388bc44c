import { privateChannelObject } from '../../../application/wire-objects/conversations/private-channel-objects.ts'
import { partialUserObject } from '../../../application/wire-objects/identity/user-objects.ts'
import type { PrivateChannel } from '../../../application/ports/queries/private-channel-queries.ts'
import type { DirectChannelEvent } from '../../../domain/direct-channel/events.ts'
import type { AccountId, ChannelId } from '../../../domain/ids/ids.ts'
import type { ChannelLast } from '../../../domain/messages/channel-last.ts'
import type { PrivateChannelEvent } from '../../../domain/private-channel/events.ts'
import type { Known } from '../../visibility/known-event.ts'
import type { DispatchName } from '../../protocol/dispatch-names.ts'
import type { Lookups } from '../../visibility/lookups.ts'
import { same, type Dispatch } from '../dispatch.ts'
import { preparing, untold, type Preparation, type Scene, type Telling } from '../telling.ts'

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
  const channel = { ...blank(channelId, 'direct'), recipients: [accountId, otherId] }
  return preparing([t], {
    accounts: [otherId],
    prepare: async ({ lookups, account }) => {
      const last = (await channelNow(lookups, channelId))?.last
      return (scene) => [toldOf(t, { channel, last, account }, accountId, scene)]
    },
  })
}

/**
 * An event of a group, to all its recipients: CHANNEL_UPDATE. A new recipient gets CHANNEL_CREATE and a removed one
 * CHANNEL_DELETE; the others get CHANNEL_RECIPIENT_ADD and CHANNEL_RECIPIENT_REMOVE.
 */
function groupChanged(event: GroupChange): Telling {
  const { channelId, recipients } = event.data
  const gone = event.type === 'GroupRecipientRemoved' ? [event.data.accountId] : []
  return preparing(groupRaises(event.type), {
    accounts: [...recipients, ...gone],
    prepare: async ({ lookups, account }) => {
      const found = await channelNow(lookups, channelId)
      const channel = { ...(found?.channel ?? blank(channelId, 'group')), recipients }
      const parts = { channel, last: found?.last, account }
      return (scene) => dispatchesOf(event, parts, scene)
    },
  })
}

type GroupDispatch = ChannelDispatch | 'CHANNEL_RECIPIENT_ADD' | 'CHANNEL_RECIPIENT_REMOVE'

function groupRaises(type: GroupChange['type']): readonly GroupDispatch[] {
  switch (type) {
    case 'GroupCreated':
      return ['CHANNEL_CREATE']
    case 'GroupRecipientAdded':
      return ['CHANNEL_CREATE', 'CHANNEL_RECIPIENT_ADD']
    case 'GroupRecipientRemoved':
      return ['CHANNEL_RECIPIENT_REMOVE', 'CHANNEL_DELETE']
    default:
      return ['CHANNEL_UPDATE']
  }
}

/** A private channel now, with what was last written and pinned in it; undefined for one that is gone. */
function channelNow(lookups: Lookups, id: ChannelId) {
  return lookups.ask(async ({ privateChannels, lastMessages }) => {
    const channel = await privateChannels.find(id)
    return channel && { channel, last: (await lastMessages([id])).get(id) }
  })
}

/** What a private channel is told with. */
interface Parts {
  readonly channel: PrivateChannel
  readonly last: ChannelLast | undefined
  readonly account: Preparation['account']
}

function dispatchesOf(event: GroupChange, parts: Parts, scene: Scene): readonly Dispatch<GroupDispatch>[] {
  const { channel, account } = parts
  const { recipients } = channel
  switch (event.type) {
    case 'GroupCreated':
      return recipients.map((id) => toldOf('CHANNEL_CREATE', parts, id, scene))
    case 'GroupRecipientAdded': {
      const { accountId } = event.data
      const others = recipients.filter((id) => id !== accountId)
      return [
        toldOf('CHANNEL_CREATE', parts, accountId, scene),
        ...others.map((id) => recipientTold('CHANNEL_RECIPIENT_ADD', event, id, { account, scene })),
      ]
    }
    case 'GroupRecipientRemoved': {
      const { accountId, wasOwner } = event.data
      const asItWas = wasOwner ? { ...channel, ownerId: accountId } : channel
      return [
        ...recipients.map((id) => recipientTold('CHANNEL_RECIPIENT_REMOVE', event, id, { account, scene })),
        toldOf('CHANNEL_DELETE', { ...parts, channel: asItWas }, accountId, scene),
      ]
    }
    case 'GroupOwnerChanged':
    case 'GroupRenamed':
    case 'GroupIconChanged':
    case 'GroupNickChanged':
      return recipients.map((id) => toldOf('CHANNEL_UPDATE', parts, id, scene))
  }
}

/** The channel as one of its recipients sees it, to that recipient's sessions. */
function toldOf<Name extends ChannelDispatch>(
  t: Name,
  parts: Parts,
  viewer: AccountId,
  { sessionsOf }: Scene,
): Dispatch<Name> {
  const audience = { kind: 'sessions', sessions: sessionsOf(viewer) } as const
  return { t, guildId: null, audience, body: same(privateChannelObject(parts, viewer)) }
}

function recipientTold<Name extends 'CHANNEL_RECIPIENT_ADD' | 'CHANNEL_RECIPIENT_REMOVE'>(
  t: Name,
  { data: { channelId, accountId } }: Known<'GroupRecipientAdded' | 'GroupRecipientRemoved'>,
  listener: AccountId,
  { account, scene }: { readonly account: Preparation['account']; readonly scene: Scene },
): Dispatch<Name> {
  const body = same({ channel_id: channelId, user: partialUserObject(account(accountId)) })
  return { t, guildId: null, audience: { kind: 'sessions', sessions: scene.sessionsOf(listener) }, body }
}

/** What is known of a channel that was gone when it was looked up. */
function blank(id: ChannelId, kind: 'direct' | 'group'): PrivateChannel {
  return { id, kind, recipients: [], closedFor: [], ownerId: null, name: null, icon: null, nicks: {} }
}
