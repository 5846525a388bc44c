import type { GroupInviteRedeemed } from '../../../domain/invite/events.js'
import { stands } from '../../../domain/invite/state.js'
import { streamName } from '../../../domain/kernel/streams.js'
import type { Caller } from '../../caller.js'
import { eventIdOf, type CommandContext } from '../../commands/command-context.js'
import { followingContext } from '../../commands/following-context.js'
import { reject, Refused } from '../../commands/refused.js'
import type { AccountRecord } from '../../ports/queries/account-queries.js'
import type { GroupInviteRecord } from '../../ports/queries/invite-queries.js'
import type { PrivateChannel } from '../../ports/queries/private-channel-queries.js'
import type { Ports } from '../../ports.js'
import { joinGroup, requireRoomIn } from '../../conversations/private-channels/change-recipients.js'
import { redemptionIdOf } from './admit-by-invite.js'
import { returnRedemption } from './join-by-redemption.js'

type Needs = Pick<Ports, 'aggregates' | 'limits' | 'messages' | 'queries' | 'readModels' | 'room'>

/**
 * Takes one use of an invite, then adds the caller to its group. If the process dies in between, a process manager finishes.
 * Resolves once the read models hold it. Refuses with MAX_GROUP_DM_RECIPIENTS, UNKNOWN_INVITE if no use is left, and as joining
 * does; a refused join takes no use.
 */
export async function admitToGroup(
  ports: Needs,
  { account, context }: Pick<Caller, 'account' | 'context'>,
  { invite, channel }: { readonly invite: GroupInviteRecord; readonly channel: PrivateChannel },
): Promise<void> {
  const { code, channelId } = invite
  await requireRoomIn(ports, account, channel)
  const redemptionId = redemptionIdOf(context)
  const redeem = { type: 'RedeemInvite', accountId: account.id, redemptionId, now: context.now } as const
  const { repeated, state } = await ports.aggregates.invite.execute(code, redeem, context)
  // An earlier try of this command took a use and had to return it: the account must not join now without one.
  if (repeated && state.status === 'created' && !stands(state, redemptionId)) reject('UNKNOWN_INVITE')
  const following = followingContext(context, eventIdOf(context, streamName('invite', code), redeem.type, 0))
  await joinGroupByRedemption(ports, account, { code, channelId, redemptionId }, following)
}

/**
 * The second step: adds the account to the group by the use taken for it. If the account can't be added, or is a recipient
 * already by another way, returns the use first. The context must be the one that follows the redemption's event.
 */
export async function joinGroupByRedemption(
  ports: Needs,
  account: AccountRecord,
  { code, channelId, redemptionId }: Pick<GroupInviteRedeemed, 'code' | 'channelId' | 'redemptionId'>,
  context: CommandContext,
): Promise<void> {
  try {
    const channel = (await ports.queries.privateChannels.find(channelId)) ?? reject('UNKNOWN_CHANNEL')
    const isNew = await joinGroup(ports, { account, context }, channel, account.id, redemptionId)
    if (!isNew) await returnRedemption(ports, { code, redemptionId }, context)
  } catch (error) {
    // If it is unknown whether the account was added, the process manager finds out.
    if (error instanceof Refused) await returnRedemption(ports, { code, redemptionId }, context)
    throw error
  }
  await ports.readModels.reached(context.written)
}
