import type { GroupInviteRedeemed } from '../../../domain/invite/events.ts'
import { stands } from '../../../domain/invite/state.ts'
import { streamName } from '../../../domain/streams.ts'
import type { Caller } from '../../caller.ts'
import { eventIdOf, type CommandContext } from '../../commands/command-context.ts'
import { followingContext } from '../../commands/following-context.ts'
import { reject, Refused } from '../../commands/refused.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { GroupInviteRecord } from '../../ports/queries/invite-queries.ts'
import type { PrivateChannel } from '../../ports/queries/private-channel-queries.ts'
import type { Ports } from '../../ports.ts'
import { joinGroup, requireSpaceIn } from '../../conversations/private-channels/change-recipients.ts'
import { redemptionIdOf } from './admit-by-invite.ts'
import { returnRedemption } from './join-by-redemption.ts'

type Needs = Pick<Ports, 'aggregates' | 'limits' | 'messages' | 'queries' | 'readModels' | 'reservations'>

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
  await requireSpaceIn(ports, account, channel)
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
