import type { AccountId, ChannelId } from '../../../domain/ids/ids.ts'
import { requireGroup } from '../../access/private-channel-access.ts'
import type { Caller } from '../../caller.ts'
import { contextWith } from '../../commands/following-context.ts'
import { reject, rejectWith } from '../../commands/refused.ts'
import { added } from '../messages/system/said.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { PrivateChannel } from '../../ports/queries/private-channel-queries.ts'
import type { Ports } from '../../ports.ts'
import { unaddableAmong } from './addable-recipients.ts'
import { chargeGroupBucket } from './charge-group-bucket.ts'
import { closeOldest } from './close-oldest.ts'
import { countedAmongGroups, withinAccountsGroups } from './within-groups.ts'
import { leaveGroup } from './leave-group.ts'
import { requireDirectMessages } from './require-may-message.ts'
import { postToGroup } from './system-messages.ts'

type JoinNeeds = Pick<Ports, 'aggregates' | 'limits' | 'messages' | 'queries' | 'readModels' | 'reservations'>
type AddNeeds = JoinNeeds & Pick<Ports, 'allowances' | 'instancePolicies'>

/**
 * Adds a friend to a group; does nothing if it is a recipient already. Refuses in this order: UNKNOWN_CHANNEL,
 * INVALID_CHANNEL_TYPE, MISSING_ACCESS, DIRECT_MESSAGES_DISABLED, RATE_LIMITED by user:group_dm:recipient:add,
 * UNKNOWN_USER, NOT_FRIENDS_WITH_USER, GROUP_DM_RECIPIENTS_NOT_ADDABLE if the friend does not allow it,
 * MAX_GROUP_DM_RECIPIENTS, MAX_GROUP_DMS. See rules/messages#groups.
 */
export function addRecipient(ports: AddNeeds) {
  return async (caller: Caller, id: ChannelId, accountId: AccountId): Promise<void> => {
    const channel = await requireGroup(ports, caller, id)
    await requireDirectMessages(ports, caller)
    await chargeGroupBucket(ports, caller, 'user:group_dm:recipient:add')
    if (channel.recipients.includes(accountId)) return
    await requireFriend(ports, caller, accountId)
    await joinGroup(ports, caller, channel, accountId)
  }
}

/**
 * Adds an account to a group and posts the system message. Either the caller, a recipient, adds it, or it joins by
 * itself with an invite, whose use `redemptionId` names. Refuses with UNKNOWN_CHANNEL, MISSING_ACCESS,
 * MAX_GROUP_DM_RECIPIENTS and MAX_GROUP_DMS, which does not keep out who comes by an invite
 * (rules/invites#accept-a-group). False if the account was a recipient already.
 */
export async function joinGroup(
  ports: JoinNeeds,
  { account, context }: Pick<Caller, 'account' | 'context'>,
  channel: Pick<PrivateChannel, 'id' | 'recipients'>,
  accountId: AccountId,
  redemptionId?: string,
): Promise<boolean> {
  // A full group is refused for everybody, so check it before counting the groups of the newcomer.
  const recipients_max = channel.recipients.includes(accountId)
    ? (await ports.limits.ofAccount(account)).max_group_dm_recipients
    : await requireSpaceIn(ports, account, channel)
  let isNew = false
  // Writes of an earlier try are announced by the follower of events.
  let changedNow = false
  const join = async (): Promise<void> => {
    const use = redemptionId === undefined ? {} : { redemptionId }
    const add = { type: 'AddRecipient', accountId, by: account.id, recipients_max, ...use } as const
    const { changed, repeated } = await ports.aggregates.privateChannel.execute(channel.id, add, context)
    changedNow = changed
    isNew = changed || repeated
    // The account is a recipient already: by this same step, or another way. It has now been seen, so the store knows which.
    if (!isNew && redemptionId !== undefined) {
      const again = contextWith(context, { mayRepeat: true })
      isNew = (await ports.aggregates.privateChannel.execute(channel.id, add, again)).repeated
    }
    await ports.readModels.reached(context.written)
  }
  if (redemptionId === undefined) await withinAccountsGroups(ports, [accountId], join)
  else await countedAmongGroups(ports, accountId, join)
  if (!isNew) return false
  await closeOldest(ports, [accountId], channel.id, context)
  const now = await ports.queries.privateChannels.find(channel.id)
  if (now && changedNow) await postToGroup(ports, now, added(account.id, accountId), context)
  return true
}

/** How many may take part in a group, where it has space for one more: else 400 MAX_GROUP_DM_RECIPIENTS with max_recipients. */
export async function requireSpaceIn(
  { limits }: Pick<Ports, 'limits'>,
  account: AccountRecord,
  { recipients }: Pick<PrivateChannel, 'recipients'>,
): Promise<number> {
  const { max_group_dm_recipients: recipients_max } = await limits.ofAccount(account)
  if (recipients.length >= recipients_max) rejectWith('MAX_GROUP_DM_RECIPIENTS', { max_recipients: recipients_max })
  return recipients_max
}

async function requireFriend({ queries }: Pick<Ports, 'queries'>, { account }: Caller, other: AccountId) {
  const reason = (await unaddableAmong({ queries }, account.id, [other])).get(other)
  switch (reason) {
    case undefined:
      return
    case 'unknown_user':
      return reject('UNKNOWN_USER')
    case 'not_friends':
    case 'blocked':
      return reject('NOT_FRIENDS_WITH_USER')
    case 'group_dm_add_disabled':
      return rejectWith('GROUP_DM_RECIPIENTS_NOT_ADDABLE', {
        unaddable_recipients: [{ user_id: other, reason }],
        addable_recipients: [],
      })
  }
}

/**
 * Removes a recipient from a group, or lets the caller leave it. Refuses with UNKNOWN_CHANNEL, INVALID_CHANNEL_TYPE,
 * MISSING_ACCESS, INVALID_FORM_BODY with USER_NOT_IN_CHANNEL, and MISSING_PERMISSIONS for callers who are not the
 * owner. See rules/messages#groups.
 */
export function removeRecipient(ports: Pick<Ports, 'aggregates' | 'images' | 'messages' | 'queries' | 'readModels'>) {
  return async (caller: Caller, id: ChannelId, accountId: AccountId, silent: boolean): Promise<void> => {
    await requireGroup(ports, caller, id)
    await leaveGroup(ports, { channelId: id, accountId, by: caller.account.id, silent }, caller.context)
  }
}
