import type { InviteRedeemed } from '../../../domain/invite/events.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { Refused } from '../../commands/refused.ts'
import type { JoinDefaults } from '../../ports/queries/guild-ban-queries.ts'
import type { Ports } from '../../ports.ts'
import { hideMutedChannels } from './hide-muted-channels.ts'
import { restrictJoinedGuild } from './restrict-joined-guild.ts'
import {
  afterJoin,
  joinUnlessBanned,
  type Admitted,
  type JoinUnlessBannedNeeds,
  type Origin,
} from './join-unless-banned.ts'

/** One use taken of an invite, and the account it was taken for. */
export type Redemption = Omit<InviteRedeemed, 'uses'>

type Needs = Pick<Ports, 'aggregates' | 'readModels'>

/**
 * The second step of an admission: the account joins by the use taken for it. If it can't join, or is a member already by another
 * admission, returns the use first: a failed admission consumes none (rules/invites#uses). Resolves once the read
 * models hold all of it, as joining does. Refuses as joining does. The context must be the one that follows the redemption's event.
 */
export async function joinByRedemption(
  ports: JoinUnlessBannedNeeds,
  redemption: Redemption,
  origin: Origin,
  context: CommandContext,
): Promise<Admitted | 'member_already'> {
  const { code, guildId, accountId, inviterId, temporary, redemptionId } = redemption
  const admission = { by: 'invite', code, inviterId, redemptionId } as const
  let outcome: Awaited<ReturnType<typeof joinUnlessBanned>>
  try {
    outcome = await joinUnlessBanned(ports, { guildId, accountId, temporary, admission }, origin, context)
    if (outcome === 'member_already') await returnRedemption(ports, redemption, context)
  } catch (error) {
    // If it is unknown whether the account joined, the process manager finds out.
    if (error instanceof Refused) await returnRedemption(ports, redemption, context)
    throw error
  }
  if (outcome !== 'member_already') await settleIn(ports, redemption, outcome.chosen, afterJoin(context, redemption))
  await ports.readModels.reached(context.written)
  return outcome
}

/** Applies the account's own settings to a guild that it has joined. */
export async function settleIn(
  ports: Needs,
  joined: Pick<Redemption, 'guildId' | 'accountId'>,
  chosen: JoinDefaults,
  context: CommandContext,
): Promise<void> {
  if (chosen.hidesMutedChannels) await hideMutedChannels(ports, joined, context)
  if (chosen.restrictsGuild) await restrictJoinedGuild(ports, joined, context)
}

/** Returns a use. Resolves once the read models hold it. */
export async function returnRedemption(
  { aggregates, readModels }: Needs,
  { code, redemptionId }: Pick<Redemption, 'code' | 'redemptionId'>,
  context: CommandContext,
): Promise<void> {
  await aggregates.invite.execute(code, { type: 'ReturnRedemption', redemptionId }, context)
  await readModels.reached(context.written)
}
