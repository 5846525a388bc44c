import type { Guild, Role } from '../../../domain/guild/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { BotRole } from '../../../domain/membership/events.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { Refused } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { leaveAgain } from './require-application.ts'

/** A bot that has joined with a role that does not exist yet. */
export interface RolelessBot {
  readonly guild: Guild
  readonly botId: AccountId
  readonly role: BotRole
}

type Needs = Pick<Ports, 'aggregates' | 'limits'>

/**
 * The second step of an installation: creates the role that the bot joined with. If that fails, the bot leaves the guild again,
 * because it would lack the permissions it was added for. Refuses with MAX_GUILD_ROLES, UNKNOWN_GUILD. The context must be the
 * one that follows the joining.
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

/** The role takes position 1; the other roles are not renumbered. */
function roleOf(role: BotRole): Role {
  return { ...role, position: 1, color: 0, hoist: false, hoistPosition: null, mentionable: false, unicodeEmoji: null }
}
