import type { AccountEvent } from '../../domain/account/events.ts'
import type { DirectChannelEvent, DirectChannelView } from '../../domain/direct-channel/events.ts'
import { pairId, type AccountId, type ChannelId } from '../../domain/ids/ids.ts'
import type { PrivateChannelEvent } from '../../domain/private-channel/events.ts'
import { patch, projection, put, remove, removeWhere, type RowChange } from '../runner/projection.ts'

type Events = DirectChannelEvent | PrivateChannelEvent | AccountEvent

/**
 * Direct messages and groups. When the erasure of an account starts, the names and nicknames that are personal to it are removed.
 * It leaves its groups by separate events.
 */
export const privateChannelsProjection = projection<Events>({
  name: 'private_channels',
  answers: 'Direct messages and groups, and for whom they are open.',
  version: 3,
  tables: new URL('./tables.sql', import.meta.url),
  keys: {
    channels: ['id'],
    places: ['account_id', 'channel_id'],
    names: ['channel_id'],
    nicks: ['channel_id', 'account_id'],
  },
  on: {
    DirectChannelOpened: ({ data }) => [
      put('channels', {
        id: data.channelId,
        kind: 'direct',
        recipients: [data.accountId, data.otherId],
        owner_id: null,
        pair: pairId(data.accountId, data.otherId),
      }),
      shown(data),
    ],
    DirectChannelShown: ({ data }) => [shown(data)],
    DirectChannelHidden: ({ data }) => [remove('places', placeOf(data))],
    GroupCreated: ({ data: { channelId, ownerId, recipients } }) => [
      put('channels', { id: channelId, kind: 'group', recipients, owner_id: ownerId, pair: null }),
      ...recipients.map((accountId) => put('places', { ...placeOf({ channelId, accountId }), kind: 'group' })),
    ],
    GroupRecipientAdded: ({ data }) => [
      patch('channels', { id: data.channelId }, { recipients: data.recipients }),
      put('places', { ...placeOf(data), kind: 'group' }),
    ],
    GroupRecipientRemoved: ({ data }) => [
      patch('channels', { id: data.channelId }, { recipients: data.recipients }),
      remove('places', placeOf(data)),
      remove('nicks', { channel_id: data.channelId, account_id: data.accountId }),
    ],
    GroupOwnerChanged: ({ data }) => [patch('channels', { id: data.channelId }, { owner_id: data.ownerId })],
    GroupRenamed: ({ data: { channelId, changedBy, name } }) => [
      name === null
        ? remove('names', { channel_id: channelId })
        : put('names', { channel_id: channelId, named_by: changedBy, name }),
    ],
    GroupIconChanged: ({ data }) => [patch('channels', { id: data.channelId }, { icon: data.icon })],
    GroupNickChanged: ({ data: { channelId, accountId, nick } }) => {
      const key = { channel_id: channelId, account_id: accountId }
      return [nick === null ? remove('nicks', key) : put('nicks', { ...key, nick })]
    },
    GroupDeleted: ({ data: { channelId } }) => [
      remove('channels', { id: channelId }),
      remove('names', { channel_id: channelId }),
    ],
    AccountErasureStarted: ({ data: { accountId } }) => [
      removeWhere('places', { account_id: accountId, kind: 'direct' }),
      removeWhere('names', { named_by: accountId }),
      removeWhere('nicks', { account_id: accountId }),
    ],
  },
})

function shown(view: DirectChannelView): RowChange {
  return put('places', { ...placeOf(view), kind: 'direct' })
}

function placeOf({ channelId, accountId }: { readonly channelId: ChannelId; readonly accountId: AccountId }) {
  return { account_id: accountId, channel_id: channelId }
}
