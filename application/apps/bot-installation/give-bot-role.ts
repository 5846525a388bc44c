import type { Guild, Role } from '../../../domain/guild/state.js'
import type { AccountId } from '../../../domain/ids/ids.js'
import type { BotRole } from '../../../domain/membership/events.js'
import type { CommandContext } from '../../commands/command-context.js'
import { Refused } from '../../commands/refused.js'
import type { Ports } from '../../ports.js'
import { leaveAgain } from './require-application.js'

/** A bot that has joined with a role which is not there yet. */
export interface RolelessBot {
  readonly guild: Guild
  readonly botId: AccountId
  readonly role: BotRole
}

type Needs = Pick<Ports, 'aggregates' | 'limits'>

/**
 * The second step of an installation: the guild gets the role that the bot has joined with. Where it can't, the bot leaves again:
 * it would be there without what it was let in for. Refuses with MAX_GUILD_ROLES, UNKNOWN_GUILD. The context is the one that
 * follows the joining.
 */
export async function giveBotRole(
  { aggregates, limits }: Needs,
  { guild, botId, role }: RolelessBot,
  context: CommandContext,
): Promise<void> {
  const { max_guild_roles: roles_max } = await limits.ofGuild(guild)
  const create = { type: 'AddBotRole', role: roleOf(role), roles_max } as const
  try {
    await aggregates.guild.execute(guild.id, create, context)
  } catch (error) {
    if (error instanceof Refused) await leaveAgain({ aggregates }, guild, botId, context)
    throw error
  }
}

/** At position 1; the others are not renumbered (reference gateway 5.1). */
function roleOf(role: BotRole): Role {
  return { ...role, position: 1, color: 0, hoist: false, hoistPosition: null, mentionable: false, unicodeEmoji: null }
}
