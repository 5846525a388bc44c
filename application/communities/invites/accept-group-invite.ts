import { isClaimed, requireUnlimited } from '../../access/account-standing.ts'
import { admitToGroup } from '../admission/admit-to-group.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { groupInviteObject, type InviteObject } from '../../wire-objects/communities/invite-objects.ts'
import type { GroupInviteRecord } from '../../ports/queries/invite-queries.ts'
import type { PrivateChannel } from '../../ports/queries/private-channel-queries.ts'
import type { Ports } from '../../ports.ts'
import { groupInvitePartsIn } from './invite-parts.ts'

type Needs = Pick<Ports, 'aggregates' | 'limits' | 'messages' | 'queries' | 'readModels' | 'reservations'>

/**
 * Adds the caller to the group of an invite. Refuses, in this order: ACCOUNT_LIMITED, UNKNOWN_INVITE if the channel does not
 * exist any more, UNCLAIMED_ACCOUNT_CANNOT_JOIN_GROUP_DMS, INVALID_CHANNEL_TYPE, MAX_GROUP_DM_RECIPIENTS, UNKNOWN_INVITE if
 * somebody else took the last use meanwhile, UNKNOWN_CHANNEL if the group ended (rules/invites#accept-a-group).
 */
export async function acceptGroupInvite(
  ports: Needs,
  caller: Caller,
  invite: GroupInviteRecord,
): Promise<InviteObject> {
  const { account } = caller
  const channel = await ports.queries.privateChannels.find(invite.channelId)
  const takesPart = channel?.recipients.includes(account.id) === true
  if (!takesPart) requireUnlimited(caller)
  if (!channel) return reject('UNKNOWN_INVITE')
  if (takesPart) return render(ports, invite, channel)
  if (!isClaimed(account)) reject('UNCLAIMED_ACCOUNT_CANNOT_JOIN_GROUP_DMS')
  if (channel.kind !== 'group') reject('INVALID_CHANNEL_TYPE')
  await admitToGroup(ports, caller, { invite, channel })
  return render(
    ports,
    invite,
    (await ports.queries.privateChannels.find(invite.channelId)) ?? reject('UNKNOWN_CHANNEL'),
  )
}

async function render(ports: Needs, invite: GroupInviteRecord, channel: PrivateChannel): Promise<InviteObject> {
  return groupInviteObject((await groupInvitePartsIn(ports, channel, invite)) ?? reject('UNKNOWN_INVITE'))
}
