import type { GuildCreated } from '../../domain/guild/events.ts'
import { joinGuild } from '../communities/admission/join-guild.ts'
import { countedAmongGuilds } from '../communities/admission/within-members.ts'
import type { CommandContext } from '../commands/command-context.ts'
import type { Ports } from '../ports.ts'

type Needs = Pick<Ports, 'aggregates' | 'queries' | 'readModels' | 'reservations'>

/** Finishes the creation of a guild: its owner becomes a member. The limit on guilds was checked at the creation. */
export async function finishFounding(
  ports: Needs,
  { guildId, ownerId }: Pick<GuildCreated, 'guildId' | 'ownerId'>,
  context: CommandContext,
): Promise<void> {
  const founding = { guildId, accountId: ownerId, temporary: false, admission: { by: 'founding' } } as const
  await countedAmongGuilds(ports, ownerId, async () => {
    await joinGuild(ports, founding, context)
    await ports.readModels.reached(context.written)
  })
}
