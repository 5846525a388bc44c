import { pairId } from '../../../domain/ids/ids.js'
import { asRecipient, privateChannelTypes } from '../../access/private-channel-access.js'
import type { Caller } from '../../caller.js'
import { reject } from '../../commands/refused.js'
import type { PrivateChannel } from '../../ports/queries/private-channel-queries.js'
import type { Ports } from '../../ports.js'
import { leaveGroup } from './leave-group.js'

/**
 * What Delete channel reads of its query. Both are of matter to private channels alone: what was written in a channel of a guild
 * or a thread goes with it, and nobody's leaving is told there.
 */
export interface ChannelDeletion {
  /** Whether nobody is told by a message that the caller leaves a group. */
  readonly silent: boolean
  /** Whether what the caller wrote there is deleted first. */
  readonly deleteMessages: boolean
  /** Refuses who has not proved sudo mode; asked before messages are deleted. */
  readonly proveSudo: () => Promise<void>
}

type Needs = Pick<Ports, 'aggregates' | 'images' | 'messages' | 'queries' | 'readModels'>

/**
 * Leaves a group, or closes a direct message for the caller. Notes stay: 400 CANNOT_EXECUTE_ON_DM. Where messages are to be
 * deleted first, `proveSudo` refuses who is not proved, and every message that the caller wrote there is gone before anything
 * else happens. Reference gateway 5.3; the same as Leave guild (contract part 1).
 */
export async function closePrivateChannel(
  ports: Needs,
  caller: Caller,
  channel: PrivateChannel,
  { silent, deleteMessages, proveSudo }: ChannelDeletion,
): Promise<void> {
  const { account, context } = caller
  const { id, kind, recipients } = channel
  const [one, other] = recipients
  if (kind === 'notes') return reject('CANNOT_EXECUTE_ON_DM')
  if (deleteMessages) {
    await proveSudo()
    await removeOwnIn(ports, caller, channel)
  }
  const leaving = { channelId: id, accountId: account.id, by: account.id, silent }
  if (kind === 'group') return asRecipient(() => leaveGroup(ports, leaving, context))
  if (one === undefined || other === undefined) return reject('CANNOT_EXECUTE_ON_DM')
  const hide = { type: 'HideDirectChannel', accountId: account.id } as const
  await ports.aggregates.directChannel.execute(pairId(one, other), hide, context)
  await ports.readModels.reached(context.written)
}

/** Deletes for good what the caller wrote in a private channel; each batch is told at once. */
async function removeOwnIn(
  { messages, queries }: Needs,
  { account }: Caller,
  { id: channelId, kind, recipients }: PrivateChannel,
): Promise<void> {
  const place = { channelId, channelType: privateChannelTypes[kind], guildId: null, parentId: null, recipients }
  await messages.removeOfAuthor(account.id, [place], { after: await queries.positions.held() })
}
