import { channelId, type AccountId } from '../../../domain/ids/ids.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import type { Caller } from '../../caller.ts'
import { reject, rejectWith } from '../../commands/refused.ts'
import type { PrivateChannelObject } from '../../wire-objects/conversations/private-channel-objects.ts'
import { added } from '../messages/system/said.ts'
import type { Ports } from '../../ports.ts'
import { requireAddable } from './addable-recipients.ts'
import { chargeGroupBucket } from './charge-group-bucket.ts'
import { closeOldest } from './close-oldest.ts'
import { withinAccountsGroups } from './within-groups.ts'
import { privateChannelView } from './private-channel-views.ts'
import { requireDirectMessages } from './require-may-message.ts'
import { postToGroup } from './system-messages.ts'

type Needs = Pick<
  Ports,
  'aggregates' | 'allowances' | 'instancePolicies' | 'limits' | 'messages' | 'queries' | 'readModels' | 'reservations'
>

/**
 * Creates a group of the caller and friends, with one system message for each friend. Refuses in this order:
 * INVALID_FORM_BODY with DUPLICATE_RECIPIENTS_NOT_ALLOWED or CANNOT_ADD_YOURSELF_TO_GROUP_DM, DIRECT_MESSAGES_DISABLED,
 * RATE_LIMITED by user:group_dm:create, MAX_GROUP_DM_RECIPIENTS, GROUP_DM_RECIPIENTS_NOT_ADDABLE, MAX_GROUP_DMS. See
 * rules/messages#groups.
 */
export function createGroup(ports: Needs) {
  return async (caller: Caller, others: readonly AccountId[]): Promise<PrivateChannelObject> => {
    const { account, context } = caller
    requireDistinct(account.id, others)
    await requireDirectMessages(ports, caller)
    await chargeGroupBucket(ports, caller, 'user:group_dm:create')
    const { max_group_dm_recipients: recipients_max } = await ports.limits.ofAccount(account)
    if (others.length >= recipients_max) rejectWith('MAX_GROUP_DM_RECIPIENTS', { max_recipients: recipients_max })
    await requireAddable(ports, account.id, others)
    const id = channelId(context.newId())
    const group = { channelId: id, ownerId: account.id, others, recipients_max, now: context.now } as const
    const begin = async (): Promise<void> => {
      await ports.aggregates.privateChannel.execute(id, { type: 'CreateGroup', ...group }, context, 'initial')
      await ports.readModels.reached(context.written)
    }
    // A group created by an earlier try of this command is already counted.
    const earlier = await ports.aggregates.privateChannel.findEarlierTry(id, 'CreateGroup', context)
    await (earlier ? begin() : withinAccountsGroups(ports, [account.id, ...others], begin))
    await closeOldest(ports, [account.id, ...others], id, context)
    const channel = (await ports.queries.privateChannels.find(id)) ?? reject('UNKNOWN_CHANNEL')
    for (const other of others) await postToGroup(ports, channel, added(account.id, other), context)
    return privateChannelView(ports, caller, channel)
  }
}

function requireDistinct(accountId: AccountId, others: readonly AccountId[]): void {
  if (new Set(others).size < others.length)
    reject('INVALID_FORM_BODY', field('recipients', 'DUPLICATE_RECIPIENTS_NOT_ALLOWED'))
  if (others.includes(accountId)) reject('INVALID_FORM_BODY', field('recipients', 'CANNOT_ADD_YOURSELF_TO_GROUP_DM'))
}
