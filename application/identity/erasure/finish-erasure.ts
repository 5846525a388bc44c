import type { AccountErasureStarted } from '../../../domain/account/erasure-events.ts'
import { channelId, membershipId, pairId, type AccountId } from '../../../domain/ids/ids.ts'
import { streamName } from '../../../domain/streams.ts'
import { guildsOwnedBy } from '../../access/owns-guild.ts'
import { releaseAddress, releaseTag } from '../accounts/claim-identity.ts'
import { deleteOwnedApplications } from './delete-owned-applications.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { Refused } from '../../commands/refused.ts'
import { handOnGuild, type HandingOnNeeds } from '../../communities/guilds/hand-on-guild.ts'
import { leaveGroup } from '../../conversations/private-channels/leave-group.ts'
import type { Ports } from '../../ports.ts'
import { purchasesOf } from '../premium/recompute-premium.ts'
import { cancelSubscriptions } from '../purchases/end-subscriptions.ts'
import { forgetSecrets } from '../purchases/settle-purchase.ts'
import type { TellNeeds } from '../purchases/tell-store.ts'
import { personalValuesOf, type GatheringNeeds } from './personal-values.ts'
import { releaseIdentity } from '../single-sign-on/claim-identity.ts'

export type ErasureNeeds = HandingOnNeeds &
  TellNeeds &
  GatheringNeeds &
  Pick<
    Ports,
    | 'accountNotes'
    | 'archives'
    | 'erasureNotes'
    | 'images'
    | 'mail'
    | 'messages'
    | 'personalDataKeys'
    | 'reactions'
    | 'readModels'
    | 'readStates'
    | 'recentMentions'
    | 'savedMessages'
    | 'snapshots'
    | 'tickets'
    | 'uploads'
  >

/** The categories with one stream per account that hold personal data. */
const withPersonalData = ['account', 'user_settings'] as const

/**
 * Removes everything that belonged to the account's holder, in steps that are safe to repeat. Before all else it notes hashes of
 * what there is, by which an operator can prove later that nothing is left. Then goes what is stored outside
 * the events, the names, which others may now take, the applications, the images, the secrets of purchases, the
 * archives, the key of personal data in the events, the guilds that it owns, the memberships, the relationships of
 * others with it, its reactions, its uploads, what it has read and saved, its notes about others and theirs about it, and its notes to itself. First of these its subscriptions of store B are
 * cancelled. If the store does
 * not answer, all else is removed, and this rejects: it is repeated. See rules/users#erasure.
 */
export async function finishErasure(
  needs: ErasureNeeds,
  { accountId, username, addressHash, identityHashes, purchases = [] }: AccountErasureStarted,
  context: CommandContext,
): Promise<void> {
  const { aggregates, archives, images, mail, messages, personalDataKeys, snapshots, tickets } = needs
  await noteWhatThereIs(needs, accountId, purchases)
  const [billing] = await Promise.allSettled([cancelSubscriptions(needs, accountId, purchases, context)])
  await tickets.forget(accountId)
  await mail.forget(accountId)
  if (addressHash !== null) await releaseAddress(needs, addressHash, accountId, context)
  for (const identityHash of identityHashes) await releaseIdentity(needs, identityHash, accountId, context)
  await releaseTag(needs, { username }, accountId, context)
  await deleteOwnedApplications(needs, accountId, context)
  await images.removeAllOf(accountId)
  for (const purchase of await purchasesOf(needs, purchases)) await forgetSecrets(needs, purchase, accountId)
  await archives.removeAllOf(accountId)
  await personalDataKeys.destroy(accountId)
  for (const category of withPersonalData) await snapshots.forget(streamName(category, accountId))
  await handOnGuilds(needs, accountId, context)
  await leaveGuilds(needs, accountId, context)
  await leaveGroups(needs, accountId, context)
  await endRelationships(needs, accountId, context)
  await needs.reactions.removeAllOf(accountId)
  await needs.uploads.forget(accountId)
  await needs.readStates.removeAllOf(accountId)
  await needs.savedMessages.removeAllOf(accountId)
  await needs.recentMentions.removeAllOf(accountId)
  await needs.accountNotes.removeAllOf(accountId)
  // Messages to others stay, and get another author once the account is erased. Nobody else can read the account's own notes.
  await messages.removeChannels([channelId(accountId)])
  if (billing.status === 'rejected') throw billing.reason
  await aggregates.account.execute(accountId, { type: 'FinishErasure', now: context.now }, context)
}

/** What a repeated try would note is less: its key may be destroyed. */
async function noteWhatThereIs(needs: ErasureNeeds, accountId: AccountId, purchases: readonly string[]): Promise<void> {
  const { erasureNotes } = needs
  if (await erasureNotes.has(accountId)) return
  await erasureNotes.add(accountId, await personalValuesOf(needs, accountId, purchases))
}

/** Only the erasure of an account whose deletion an administrator scheduled begins while it owns guilds (decision 80). */
async function handOnGuilds(needs: ErasureNeeds, accountId: AccountId, context: CommandContext): Promise<void> {
  for (const { id } of await guildsOwnedBy(needs, accountId)) await handOnGuild(needs, id, accountId, context)
  // The account leaves as a member, not as the owner.
  await needs.readModels.reached(context.written)
}

/** No new joins can come: the account has no session, and no admission is finished for an erased account. */
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
      // A moderator has already removed it.
      if (!(error instanceof Refused) || error.refusal.code !== 'UNKNOWN_MEMBER') throw error
    }
  }
}

/** Personal data of its groups is gone with the key. The earliest recipient becomes the new owner. */
async function leaveGroups(needs: ErasureNeeds, accountId: AccountId, context: CommandContext): Promise<void> {
  for (const { id, kind } of await needs.queries.privateChannels.openFor(accountId)) {
    if (kind !== 'group') continue
    try {
      await leaveGroup(needs, { channelId: id, accountId, by: accountId, silent: false, lot: 0 }, context)
    } catch (error) {
      // Somebody else has already removed it.
      if (!(error instanceof Refused)) throw error
    }
  }
}

const owners_max = 1000

/** Ends the relationships of others with the account (friends, requests in both directions, blocks) and notifies them. */
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
