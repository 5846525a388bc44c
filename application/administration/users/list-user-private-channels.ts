import type { AccountId } from '../../../domain/ids/ids.ts'
import { usersOf } from '../../conversations/relationships/read-relationships.ts'
import type { DirectChannelPage, PrivateChannel } from '../../ports/queries/private-channel-queries.ts'
import type { Ports } from '../../ports.ts'
import {
  adminPrivateChannelObject,
  type AdminPrivateChannelObject,
} from '../../wire-objects/administration/admin-private-channel-object.ts'
import { requireAccount } from './require-account.ts'

/** Which private channels to list: a page of the direct messages, or all groups. */
export type WantedChannels = { readonly type: 'dm'; readonly page: DirectChannelPage } | { readonly type: 'group_dm' }

const groups_max = 500

type Needs = Pick<Ports, 'messages' | 'queries'>

/**
 * The account's direct messages, closed ones too, or at most 500 groups that it is in, newest first. Changes nothing.
 * Refuses with UNKNOWN_USER.
 */
export function listUserPrivateChannels({ messages, queries }: Needs) {
  return async (target: AccountId, wanted: WantedChannels): Promise<readonly AdminPrivateChannelObject[]> => {
    await requireAccount({ queries }, target)
    const channels = await wantedChannels({ queries }, target, wanted)
    const last = await messages.lastOf(channels.map(({ id }) => id))
    const accounts = await usersOf({ queries }, [...new Set(channels.flatMap(({ recipients }) => recipients))])
    return channels.map((channel) =>
      adminPrivateChannelObject({ channel, accounts, lastMessageId: last.get(channel.id)?.messageId ?? null }, target),
    )
  }
}

async function wantedChannels(
  { queries: { privateChannels } }: Pick<Ports, 'queries'>,
  target: AccountId,
  wanted: WantedChannels,
): Promise<readonly PrivateChannel[]> {
  if (wanted.type === 'dm') return privateChannels.directOf(target, wanted.page)
  const open = await privateChannels.openFor(target)
  return open.filter(({ kind }) => kind === 'group').slice(0, groups_max)
}
