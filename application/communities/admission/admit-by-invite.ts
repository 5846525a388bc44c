import type { GuildId } from '../../../domain/ids/ids.ts'
import { stands } from '../../../domain/invite/state.ts'
import { streamName } from '../../../domain/streams.ts'
import { eventIdOf, type CommandContext } from '../../commands/command-context.ts'
import { deriveId } from '../../commands/derive-id.ts'
import { followingContext } from '../../commands/following-context.ts'
import { reject } from '../../commands/refused.ts'
import type { Newcomer } from '../../ports/queries/guild-ban-queries.ts'
import type { InviteRecord } from '../../ports/queries/invite-queries.ts'
import { joinByRedemption, settleIn } from './join-by-redemption.ts'
import { afterJoin, joinUnlessBanned, type Admitted, type JoinUnlessBannedNeeds } from './join-unless-banned.ts'

/** The id of the use that a command takes of an invite: the same for every run of the command. */
export function redemptionIdOf(context: CommandContext): string {
  return deriveId(context.commandId, 'redemption')
}

/**
 * Takes one use of an invite, then joins by it. If the process dies in between, a process manager finishes. Resolves once the
 * read models hold it, as joining does. Refuses with UNKNOWN_INVITE if no use is left, and as joining does.
 */
export async function admitByInvite(
  ports: JoinUnlessBannedNeeds,
  invite: InviteRecord,
  { accountId, ...origin }: Newcomer,
  context: CommandContext,
): Promise<Admitted | 'member_already'> {
  const { code, guildId, inviterId, temporary } = invite
  const redemptionId = redemptionIdOf(context)
  const redeem = { type: 'RedeemInvite', accountId, redemptionId, now: context.now } as const
  const { repeated, state } = await ports.aggregates.invite.execute(code, redeem, context)
  // An earlier try of this command took a use and had to return it: the account must not join now without one.
  if (repeated && state.status === 'created' && !stands(state, redemptionId)) reject('UNKNOWN_INVITE')
  const following = followingContext(context, eventIdOf(context, streamName('invite', code), redeem.type, 0))
  const redemption = { code, guildId, accountId, inviterId, temporary, redemptionId }
  return joinByRedemption(ports, redemption, origin, following)
}

/**
 * Joins by the custom invite URL of a guild. Its uses are unlimited; the admission itself is counted. Resolves once the read
 * models hold it. Refuses as joining does.
 */
export function admitByCustomUrl(
  ports: JoinUnlessBannedNeeds,
  guildId: GuildId,
  newcomer: Newcomer,
  context: CommandContext,
): Promise<Admitted | 'member_already'> {
  return admitWithoutUse(ports, guildId, newcomer, 'custom_invite', context)
}

/** Joins by the guild directory. Resolves once the read models hold it. Refuses as joining does. */
export function admitByDirectory(
  ports: JoinUnlessBannedNeeds,
  guildId: GuildId,
  newcomer: Newcomer,
  context: CommandContext,
): Promise<Admitted | 'member_already'> {
  return admitWithoutUse(ports, guildId, newcomer, 'discovery', context)
}

/** Makes the account a member because an administrator says so. Resolves once the read models hold it. Refuses as joining does. */
export function admitByAdministration(
  ports: JoinUnlessBannedNeeds,
  guildId: GuildId,
  newcomer: Newcomer,
  context: CommandContext,
): Promise<Admitted | 'member_already'> {
  return admitWithoutUse(ports, guildId, newcomer, 'administration', context)
}

async function admitWithoutUse(
  ports: JoinUnlessBannedNeeds,
  guildId: GuildId,
  { accountId, ...origin }: Newcomer,
  by: 'custom_invite' | 'discovery' | 'administration',
  context: CommandContext,
): Promise<Admitted | 'member_already'> {
  const joining = { guildId, accountId, temporary: false, admission: { by } } as const
  const outcome = await joinUnlessBanned(ports, joining, origin, context)
  if (outcome !== 'member_already') await settleIn(ports, joining, outcome.chosen, afterJoin(context, joining))
  await ports.readModels.reached(context.written)
  return outcome
}
