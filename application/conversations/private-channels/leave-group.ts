import type { AccountId, ChannelId } from '../../../domain/ids/ids.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { removed } from '../messages/system/said.ts'
import type { Ports } from '../../ports.ts'
import { postToGroup } from './system-messages.ts'

/** An account that leaves a group, and who makes it leave. */
export interface Leaving {
  readonly channelId: ChannelId
  readonly accountId: AccountId
  /** The account itself, or the owner. */
  readonly by: AccountId
  /** Whether to post no system message. */
  readonly silent: boolean
  /** Selects the next owner if the owner leaves, as in RemoveRecipient; the command draws it by default. */
  readonly lot?: number
}

type Needs = Pick<Ports, 'aggregates' | 'images' | 'messages' | 'readModels'>

const lot_bytes = 4

/**
 * Removes an account from a group. A system message tells the remaining recipients. If nobody remains, the messages are deleted
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

/** Random, but the same when the command is sent again. */
function drawn(context: CommandContext): number {
  return Buffer.from(context.randomBytes(lot_bytes)).readUInt32BE()
}

/** Permanently deletes the messages and the icon of an ended group, and records that this is done. Safe to repeat. */
export async function removeGroupMessages(
  { aggregates, images, messages }: Pick<Ports, 'aggregates' | 'images' | 'messages'>,
  channelId: ChannelId,
  context: CommandContext,
): Promise<void> {
  await images.removeAllOf(channelId)
  await messages.removeChannels([channelId])
  await aggregates.privateChannel.execute(channelId, { type: 'NoteGroupMessagesRemoved' }, context)
}
