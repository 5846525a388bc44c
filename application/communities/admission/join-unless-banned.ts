import { membershipId, type AccountId, type GuildId } from '../../../domain/ids/ids.ts'
import { streamName } from '../../../domain/streams.ts'
import { holdingMembership } from '../../access/holding-membership.ts'
import { eventIdOf, type CommandContext } from '../../commands/command-context.ts'
import { followingContext } from '../../commands/following-context.ts'
import { reject } from '../../commands/refused.ts'
import type { JoinedRecord, Newcomer } from '../../ports/queries/guild-ban-queries.ts'
import type { Ports } from '../../ports.ts'
import { joinGuild, type Joining } from './join-guild.ts'
import { refusalFor } from './refuse-banned.ts'

/** What else besides the account itself a guild can ban a newcomer by. */
export type Origin = Omit<Newcomer, 'accountId'>

/** Somebody who has joined, and stays. */
export type Admitted = Omit<JoinedRecord, 'keptOutBy'>

export type JoinUnlessBannedNeeds = Pick<Ports, 'aggregates' | 'locks' | 'queries' | 'readModels'>

/**
 * Joins as `joinGuild` does, and leaves again if a ban by e-mail address or network was there before. The membership
 * knows a ban of the account itself; bans by address and network only the read model knows, which may have shown such a
 * ban too late for the first check, and shows it once it holds the join. Resolves once the read models hold the join:
 * with what the account has chosen for every guild that it joins and how many members the guild has, or with
 * `member_already`. Refuses with USER_BANNED_FROM_GUILD and USER_IP_BANNED_FROM_GUILD; the account has left by then.
 */
export async function joinUnlessBanned(
  ports: JoinUnlessBannedNeeds,
  joining: Joining,
  origin: Origin,
  context: CommandContext,
): Promise<Admitted | 'member_already'> {
  const outcome = await joinGuild(ports, joining, context)
  await ports.readModels.reached(context.written)
  if (outcome === 'member_already') return outcome
  const { guildId, accountId } = joining
  const found = await ports.queries.guildBans.ofJoined(guildId, { accountId, ...origin }, context.now)
  if (found.keptOutBy === undefined) return found
  const following = afterJoin(context, joining)
  await leaveAgain(ports, joining, following)
  await ports.readModels.reached(following.written)
  return reject(refusalFor(found.keptOutBy))
}

/** The context of the steps after a join. The worker that checks the join again uses the same one (`settleJoin`). */
export function afterJoin(
  context: CommandContext,
  { guildId, accountId }: Pick<Joining, 'guildId' | 'accountId'>,
): CommandContext {
  const stream = streamName('membership', membershipId(guildId, accountId))
  return followingContext(context, eventIdOf(context, stream, 'JoinGuild', 0))
}

/** Ends the membership, unless the account owns the guild by now: an owner always stays. */
export async function leaveAgain(
  ports: Pick<Ports, 'aggregates' | 'locks'>,
  { guildId, accountId }: { readonly guildId: GuildId; readonly accountId: AccountId },
  context: CommandContext,
): Promise<void> {
  const id = membershipId(guildId, accountId)
  await holdingMembership(ports, guildId, accountId, async () => {
    const { state } = await ports.aggregates.membership.load(id)
    const { state: guild } = await ports.aggregates.guild.load(guildId)
    const isOwner = guild.status === 'active' && guild.ownerId === accountId
    if (state.status !== 'member' || isOwner) return
    await ports.aggregates.membership.execute(id, { type: 'LeaveGuild', guildId, isOwner, now: context.now }, context)
  })
}
