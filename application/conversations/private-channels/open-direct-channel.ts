import { channelId, pairId, type AccountId, type ChannelId } from '../../../domain/ids/ids.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import type { Caller } from '../../caller.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { reject } from '../../commands/refused.ts'
import type { PrivateChannelObject } from '../../wire-objects/conversations/private-channel-objects.ts'
import type { PrivateChannel } from '../../ports/queries/private-channel-queries.ts'
import type { Ports } from '../../ports.ts'
import { closeOldest, type ClosingNeeds } from './close-oldest.ts'
import { privateChannelView } from './private-channel-views.ts'
import { requireDirectMessages } from './require-may-message.ts'

type OpenNeeds = ClosingNeeds & Pick<Ports, 'instancePolicies'>

/**
 * Opens the direct message with an account, for the caller only. Gives the existing channel if there is one. If the
 * caller has too many open, the oldest are closed. Refuses with INVALID_FORM_BODY with CANNOT_DM_YOURSELF,
 * DIRECT_MESSAGES_DISABLED, and UNKNOWN_USER. See rules/messages#direct-messages.
 */
export function openDirectChannel(ports: OpenNeeds) {
  return async (caller: Caller, otherId: AccountId): Promise<PrivateChannelObject> => {
    const { account, context } = caller
    if (otherId === account.id) reject('INVALID_FORM_BODY', field('recipient_id', 'CANNOT_DM_YOURSELF'))
    await requireDirectMessages(ports, caller)
    const known = await ports.queries.privateChannels.between(account.id, otherId)
    if (known && !known.closedFor.includes(account.id)) return privateChannelView(ports, caller, known)
    if (!known) await requireAccount(ports, otherId)
    const id = await openBetween(ports, account.id, otherId, context)
    await ports.readModels.reached(context.written)
    await closeOldest(ports, [account.id], id, context)
    // Built, not read: if the other account opened it first, the read models may not hold it yet.
    const opened = { kind: 'direct', closedFor: [], ownerId: null, name: null, icon: null, nicks: {} } as const
    return privateChannelView(ports, caller, { ...opened, id, recipients: [account.id, otherId] })
  }
}

/** An erased account gets no new direct messages; its existing ones stay. */
async function requireAccount({ queries }: Pick<Ports, 'queries'>, id: AccountId): Promise<void> {
  const account = await queries.accounts.find(id)
  if (!account || account.isErased) reject('UNKNOWN_USER')
}

/** Opens the direct message of two accounts for one of them. Gives the channel's id, which never changes for the pair. */
export async function openBetween(
  { aggregates }: Pick<Ports, 'aggregates'>,
  accountId: AccountId,
  otherId: AccountId,
  context: CommandContext,
): Promise<ChannelId> {
  const made = channelId(context.newId())
  const open = { type: 'OpenDirectChannel', channelId: made, accountId, otherId, now: context.now } as const
  const { state } = await aggregates.directChannel.execute(pairId(accountId, otherId), open, context)
  return state.status === 'opened' ? state.channelId : made
}

/**
 * Opens a direct message for those of the two who have it closed, before a message is posted. So they get CHANNEL_CREATE, then
 * MESSAGE_CREATE. `closeOldest` follows. Resolves once the read models hold it.
 */
export async function showToAll(
  ports: ClosingNeeds,
  { id, kind, recipients, closedFor }: Pick<PrivateChannel, 'id' | 'kind' | 'recipients' | 'closedFor'>,
  context: CommandContext,
): Promise<void> {
  const [one, other] = recipients
  if (kind !== 'direct' || closedFor.length === 0 || one === undefined || other === undefined) return
  const show = { type: 'ShowDirectChannel', accounts: closedFor } as const
  await ports.aggregates.directChannel.execute(pairId(one, other), show, context)
  await ports.readModels.reached(context.written)
  await closeOldest(ports, closedFor, id, context)
}
