import type { AccountId, ChannelId } from '../../../domain/ids/ids.js'
import type { CommandContext } from '../../commands/command-context.js'
import { removed } from '../messages/system/said.js'
import type { Ports } from '../../ports.js'
import { postToGroup } from './system-messages.js'

/** Who leaves which group, by whose hand. */
export interface Leaving {
  readonly channelId: ChannelId
  readonly accountId: AccountId
  /** The account itself, or the owner. */
  readonly by: AccountId
  /** Whether no system message tells of it. */
  readonly silent: boolean
  /** Who follows where it is the owner, as RemoveRecipient has it; drawn by the command where nothing is said. */
  readonly lot?: number
}

type Needs = Pick<Ports, 'aggregates' | 'images' | 'messages' | 'readModels'>

const lot_bytes = 4

/**
 * Takes an account out of a group. Those who stay are told by a system message; where nobody stays, what was written is deleted
 * for good. Refuses as RemoveRecipient does.
 */
export async function leaveGroup(
  { aggregates, images, messages, readModels }: Needs,
  { channelId, accountId, by, silent, lot }: Leaving,
  context: CommandContext,
): Promise<void> {
  const command = { type: 'RemoveRecipient', accountId, by, lot: lot ?? drawn(context), silent } as const
  const { state, changed } = await aggregates.privateChannel.execute(channelId, command, context)
  await readModels.reached(context.written)
  if (state.status !== 'standing') return removeGroupMessages({ aggregates, images, messages }, channelId, context)
  if (silent || !changed) return
  await postToGroup({ messages }, { id: channelId, recipients: state.recipients }, removed(by, accountId), context)
}

/** Random, and the same for a command that is sent again. */
function drawn(context: CommandContext): number {
  return Buffer.from(context.randomBytes(lot_bytes)).readUInt32BE()
}

/** Deletes for good what was written in a group that is no more, and its icon, and notes that it is done. Safe to repeat. */
export async function removeGroupMessages(
  { aggregates, images, messages }: Pick<Ports, 'aggregates' | 'images' | 'messages'>,
  channelId: ChannelId,
  context: CommandContext,
): Promise<void> {
  await images.removeAllOf(channelId)
  await messages.removeChannels([channelId])
  await aggregates.privateChannel.execute(channelId, { type: 'NoteGroupMessagesRemoved' }, context)
}
