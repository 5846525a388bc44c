import type { AccountErasureStarted } from '../../domain/account/events.js'
import { membershipId, type AccountId } from '../../domain/ids/ids.js'
import { streamName } from '../../domain/kernel/streams.js'
import { releaseAddress, releaseTag } from '../accounts/claim-identity.js'
import { deleteOwnedApplications } from '../applications/delete-owned-applications.js'
import type { CommandContext } from '../commands/command-context.js'
import { Refused } from '../commands/refused.js'
import type { Ports } from '../ports.js'
import { releaseIdentity } from '../single-sign-on/claim-identity.js'

export type ErasureNeeds = Pick<Ports, 'aggregates' | 'mail' | 'personalDataKeys' | 'queries' | 'snapshots' | 'tickets'>

/** The categories whose streams, one an account, hold what is personal. */
const withPersonalData = ['account', 'user_settings'] as const

/**
 * Takes all that was the holder's, in an order in which each step bears being taken again: what stands beside the events, the names
 * that others may have from now on, the applications, the key that opens what is personal in the events, and the memberships. Reference stores
 * 4.18; messages, relationships and what else is not built yet have nothing to take.
 */
export async function finishErasure(
  needs: ErasureNeeds,
  { accountId, username, addressHash, identityHashes }: AccountErasureStarted,
  context: CommandContext,
): Promise<void> {
  const { aggregates, mail, personalDataKeys, snapshots, tickets } = needs
  await tickets.forget(accountId)
  await mail.forget(accountId)
  if (addressHash !== null) await releaseAddress(needs, addressHash, accountId, context)
  for (const identityHash of identityHashes) await releaseIdentity(needs, identityHash, accountId, context)
  await releaseTag(needs, username, accountId, context)
  await deleteOwnedApplications(needs, accountId, context)
  await personalDataKeys.destroy(accountId)
  for (const category of withPersonalData) await snapshots.forget(streamName(category, accountId))
  await leaveGuilds(needs, accountId, context)
  await aggregates.account.execute(accountId, { type: 'FinishErasure', now: context.now }, context)
}

/** Nobody joins any more: there is no session, and no admission is finished for an account that is erased. */
async function leaveGuilds(
  { aggregates, queries }: ErasureNeeds,
  accountId: AccountId,
  context: CommandContext,
): Promise<void> {
  for (const { guildId } of await queries.members.ofAccount(accountId)) {
    const guild = await queries.guilds.find(guildId)
    const leave = { type: 'LeaveGuild', guildId, isOwner: guild?.ownerId === accountId } as const
    try {
      await aggregates.membership.execute(membershipId(guildId, accountId), leave, context)
    } catch (error) {
      // A moderator was faster.
      if (!(error instanceof Refused) || error.refusal.code !== 'UNKNOWN_MEMBER') throw error
    }
  }
}
