import type { GroupInviteRedeemed } from '../../../domain/invite/events.js'
import { stands } from '../../../domain/invite/state.js'
import { streamName } from '../../../domain/streams.js'
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
 * Takes one use of an invite and takes the caller into its group. Where the process dies between the two, a process manager
 * finishes. Resolves once the read models hold it. Refuses with MAX_GROUP_DM_RECIPIENTS, UNKNOWN_INVITE where no use is left, and
 * as joining does, and takes no use then.
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
  // An earlier try of this command took a use and had to give it back: it must not join without one now.
  if (repeated && state.status === 'created' && !stands(state, redemptionId)) reject('UNKNOWN_INVITE')
  const following = followingContext(context, eventIdOf(context, streamName('invite', code), redeem.type, 0))
  await joinGroupByRedemption(ports, account, { code, channelId, redemptionId }, following)
}

/**
 * The second step: the account is taken in by a use that was taken for it. Where it can't be, or takes part by another way
 * already, the use is given back first. The context is the one that follows the redemption's event.
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
    // Where it is not known whether the account was taken in, the process manager finds out.
    if (error instanceof Refused) await returnRedemption(ports, { code, redemptionId }, context)
    throw error
  }
  await ports.readModels.reached(context.written)
}
