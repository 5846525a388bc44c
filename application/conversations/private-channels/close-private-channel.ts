import { pairId } from '../../../domain/ids/ids.ts'
import { asRecipient } from '../../access/private-channel-access.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { PrivateChannel } from '../../ports/queries/private-channel-queries.ts'
import type { Ports } from '../../ports.ts'
import { leaveGroup } from './leave-group.ts'
import { privatePlace } from './private-place.ts'

/**
 * The parsed query of Delete channel. Both members concern private channels only. Deleting a guild channel or thread always
 * deletes its messages, and announces no leaving.
 */
export interface ChannelDeletion {
  /** Whether to leave a group without a system message. */
  readonly silent: boolean
  /** Whether to delete the caller's messages there first. */
  readonly deleteMessages: boolean
  /** Refuses callers without a sudo proof. Called before messages are deleted. */
  readonly proveSudo: () => Promise<void>
}

type Needs = Pick<Ports, 'aggregates' | 'images' | 'messages' | 'queries' | 'readModels'>

/**
 * Leaves a group, or closes a direct message for the caller. Notes can't be closed: 400 CANNOT_EXECUTE_ON_DM. If
 * messages are to be deleted, `proveSudo` refuses callers without a sudo proof, and all messages of the caller are
 * deleted before anything else happens. See rules/messages#close.
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

/** Permanently deletes the caller's messages in a private channel; each batch notifies at once. */
async function removeOwnIn({ messages }: Needs, { account }: Caller, channel: PrivateChannel): Promise<void> {
  await messages.removeOfAuthor(account.id, [privatePlace(channel)])
}
