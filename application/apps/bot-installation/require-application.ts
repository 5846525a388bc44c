import type { Guild } from '../../../domain/guild/state.ts'
import { applicationOf, membershipId, type AccountId } from '../../../domain/ids/ids.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { reject, Refused } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'aggregates'>

/**
 * Demands that the application of a bot that has joined still exists. Otherwise the bot leaves again, and this refuses with
 * UNKNOWN_APPLICATION. Checked after the joining: a later deletion removes the bot from the guild by itself.
 */
export async function requireApplication(
  needs: Needs,
  guild: Guild,
  botId: AccountId,
  context: CommandContext,
): Promise<void> {
  const { state } = await needs.aggregates.application.load(applicationOf(botId))
  if (state.status === 'created') return
  await leaveAgain(needs, guild, botId, context)
  reject('UNKNOWN_APPLICATION')
}

/** Makes a bot that could not be installed completely leave the guild. */
export async function leaveAgain(
  { aggregates }: Needs,
  guild: Guild,
  botId: AccountId,
  context: CommandContext,
): Promise<void> {
  const command = { type: 'LeaveGuild', guildId: guild.id, isOwner: false, now: context.now } as const
  try {
    await aggregates.membership.execute(membershipId(guild.id, botId), command, context)
  } catch (error) {
    // A moderator has already removed it.
    if (!(error instanceof Refused) || error.refusal.code !== 'UNKNOWN_MEMBER') throw error
  }
}
