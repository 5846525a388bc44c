import { pairId } from '../../../domain/ids/ids.ts'
import { isClaimed } from '../../access/account-standing.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { Ports } from '../../ports.ts'
import { closeOldest, type ClosingNeeds } from '../private-channels/close-oldest.ts'
import { openBetween } from '../private-channels/open-direct-channel.ts'
import { relationshipView } from './read-relationships.ts'
import { withinRelationships } from './within-relationships.ts'
import type { RelationshipObject } from '../../wire-objects/conversations/relationship-objects.ts'

export type BefriendingNeeds = ClosingNeeds & Pick<Ports, 'reservations'>

/**
 * Accepts the request that another account sent to the caller, and opens their direct message for both. Refuses with
 * UNKNOWN_USER if there is no request, UNCLAIMED_ACCOUNT_CANNOT_ACCEPT_FRIEND_REQUESTS, and MAX_FRIENDS if either is at
 * the limit. See rules/messages#accept-a-request.
 */
export async function acceptRequest(
  ports: BefriendingNeeds,
  caller: Caller,
  other: AccountRecord,
): Promise<RelationshipObject> {
  const { account, context } = caller
  if (!isClaimed(account)) reject('UNCLAIMED_ACCOUNT_CANNOT_ACCEPT_FRIEND_REQUESTS')
  const state = await withinRelationships(ports, [account, other], async () => {
    const accept = { type: 'AcceptFriendship', accountId: account.id, otherId: other.id, now: context.now } as const
    const accepted = await ports.aggregates.relationship.execute(pairId(account.id, other.id), accept, context)
    await openForBoth(ports, caller, other)
    return accepted.state
  })
  return relationshipView(state, caller, other)
}

/**
 * Opens the direct message of two new friends for both. If the process dies before, it opens with the first message. Resolves
 * once the read models hold it.
 */
export async function openForBoth(
  ports: BefriendingNeeds,
  { account, context }: Caller,
  other: AccountRecord,
): Promise<void> {
  const both = [account.id, other.id] as const
  const channelId = await openBetween(ports, ...both, context)
  const show = { type: 'ShowDirectChannel', accounts: both } as const
  await ports.aggregates.directChannel.execute(pairId(...both), show, context)
  await ports.readModels.reached(context.written)
  await closeOldest(ports, both, channelId, context)
}
