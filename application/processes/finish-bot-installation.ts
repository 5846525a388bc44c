import type { MemberJoined } from '../../domain/membership/events.ts'
import type { CommandContext } from '../commands/command-context.ts'
import { Refused } from '../commands/refused.ts'
import { giveBotRole } from '../apps/bot-installation/give-bot-role.ts'
import { requireApplication } from '../apps/bot-installation/require-application.ts'
import type { Ports } from '../ports.ts'

/** Makes the role that a bot has joined with; where the guild has no space for it, or the application is gone, the bot leaves. */
export async function finishBotInstallation(
  ports: Pick<Ports, 'aggregates' | 'queries' | 'limits'>,
  { guildId, accountId, admission }: MemberJoined,
  context: CommandContext,
): Promise<void> {
  const guild = await ports.queries.guilds.find(guildId)
  if (!guild || admission.by !== 'bot_installation' || admission.role === null) return
  try {
    await requireApplication(ports, guild, accountId, context)
    await giveBotRole(ports, { guild, botId: accountId, role: admission.role }, context)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
  }
}
