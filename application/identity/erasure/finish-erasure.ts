import type { AccountErasureStarted } from '../../../domain/account/events.js'
import { channelId, membershipId, pairId, type AccountId } from '../../../domain/ids/ids.js'
import { streamName } from '../../../domain/streams.js'
import { releaseAddress, releaseTag } from '../accounts/claim-identity.js'
import { deleteOwnedApplications } from './delete-owned-applications.js'
import type { CommandContext } from '../../commands/command-context.js'
import { Refused } from '../../commands/refused.js'
import { leaveGroup } from '../../conversations/private-channels/leave-group.js'
import type { Ports } from '../../ports.js'
import { releaseIdentity } from '../single-sign-on/claim-identity.js'

export type ErasureNeeds = Pick<
  Ports,
  | 'aggregates'
  | 'images'
  | 'mail'
  | 'messages'
  | 'personalDataKeys'
  | 'queries'
  | 'readModels'
  | 'snapshots'
  | 'tickets'
>

/** The categories whose streams, one an account, hold what is personal. */
const withPersonalData = ['account', 'user_settings'] as const

/**
 * Takes all that was the holder's, in an order in which each step bears being taken again: what stands beside the events, the names
 * that others may have from now on, the applications, the images, the key that opens what is personal in the events, the
 * memberships, what others had of the account, and its notes to itself. Reference stores 4.18; what is not built yet has
 * nothing to take.
 */
export async function finishErasure(
  needs: ErasureNeeds,
  { accountId, username, addressHash, identityHashes }: AccountErasureStarted,
  context: CommandContext,
): Promise<void> {
  const { aggregates, images, mail, messages, personalDataKeys, snapshots, tickets } = needs
  await tickets.forget(accountId)
  await mail.forget(accountId)
  if (addressHash !== null) await releaseAddress(needs, addressHash, accountId, context)
  for (const identityHash of identityHashes) await releaseIdentity(needs, identityHash, accountId, context)
  await releaseTag(needs, { username }, accountId, context)
  await deleteOwnedApplications(needs, accountId, context)
  await images.removeAllOf(accountId)
  await personalDataKeys.destroy(accountId)
  for (const category of withPersonalData) await snapshots.forget(streamName(category, accountId))
  await leaveGuilds(needs, accountId, context)
  await leaveGroups(needs, accountId, context)
  await endRelationships(needs, accountId, context)
  // Messages to others stay without their author; the account's own notes have no other reader.
  await messages.removeChannels([channelId(accountId)])
  await aggregates.account.execute(accountId, { type: 'FinishErasure', now: context.now }, context)
}

/** Nobody joins any more: there is no session, and no admission is finished for an account that is erased. */
async function leaveGuilds(
  { aggregates, images, queries }: ErasureNeeds,
  accountId: AccountId,
  context: CommandContext,
): Promise<void> {
  for (const { guildId } of await queries.members.ofAccount(accountId)) {
    await images.removeAllOf(membershipId(guildId, accountId))
    const guild = await queries.guilds.find(guildId)
    const leave = { type: 'LeaveGuild', guildId, isOwner: guild?.ownerId === accountId, now: context.now } as const
    try {
      await aggregates.membership.execute(membershipId(guildId, accountId), leave, context)
    } catch (error) {
      // A moderator was faster.
      if (!(error instanceof Refused) || error.refusal.code !== 'UNKNOWN_MEMBER') throw error
    }
  }
}

/** What is personal of its groups went with the key. Who follows as an owner is who came first (reference stores 4.18). */
async function leaveGroups(needs: ErasureNeeds, accountId: AccountId, context: CommandContext): Promise<void> {
  for (const { id, kind } of await needs.queries.privateChannels.openFor(accountId)) {
    if (kind !== 'group') continue
    try {
      await leaveGroup(needs, { channelId: id, accountId, by: accountId, silent: false, lot: 0 }, context)
    } catch (error) {
      // Somebody was faster, and removed it.
      if (!(error instanceof Refused)) throw error
    }
  }
}

const owners_max = 1000

/** Whoever has the account as a friend, asked it, was asked by it or blocked it has nothing of it any more, and hears of that. */
async function endRelationships(
  { aggregates, queries }: ErasureNeeds,
  accountId: AccountId,
  context: CommandContext,
): Promise<void> {
  let owners: readonly AccountId[] = []
  do {
    owners = await queries.relationships.ownersWith(accountId, owners.at(-1), owners_max)
    for (const otherId of owners) {
      const remove = { type: 'RemoveRelationship', accountId, otherId, what: 'everything' } as const
      await aggregates.relationship.execute(pairId(accountId, otherId), remove, context)
    }
  } while (owners.length === owners_max)
}
